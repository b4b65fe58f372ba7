import fc from 'fast-check';
import { expect } from 'vitest';
import { captureLine } from '../../../src/connector/bouncer/captured-line.ts';
import { pageOf } from '../../../src/connector/bouncer/replay.ts';
import { REPLAY_OVERLAP_MS } from '../../../src/connector/domain/limits.ts';
import { type IrcLine, parseLine, serverTimeOf } from '../../../src/connector/irc/line.ts';
import type { ObservedLine } from '../../../src/connector/ports/bouncer-session.ts';
import { open, testWithStore } from '../../harness/fixtures/open-store.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';

/** Small, so that pages end within a millisecond again and again. */
const PAGE_LINES = 4;
const CHANNEL = '#room';
const BEGIN = Date.UTC(2026, 0, 1);

const test = testWithStore();

let serial = 0;

/** One line of the channel: when after the one before, what, and whether it reaches the connector live. */
const said = fc.record({
  afterMs: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(0, 0, 1) }, fc.constantFrom(2 * REPLAY_OVERLAP_MS)),
  text: fc.constantFrom('a', 'a', 'b'),
  fate: fc.constantFrom('live', 'live', 'missed', 'live and crash'),
});

const observed = (line: IrcLine): ObservedLine[] =>
  captureLine(line, 'main', CHANNEL).map((captured) => ({ line: captured, own: undefined }));

/** The connector's side of a channel, over a bouncer that keeps everything. */
class Channel {
  readonly kept: IrcLine[] = [];
  readonly #accountId: string;
  readonly #countAt = new Map<number, number>();
  #synced = new Set<string>();

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  /** Something was said; its `fate` is what the connector sees of it. */
  async say(line: IrcLine, fate: string): Promise<void> {
    const at = serverTimeOf(line) ?? 0;
    const count = (this.#countAt.get(at) ?? 0) + 1;
    // A millisecond with more lines than a page is another test.
    if (count >= PAGE_LINES) return;
    this.#countAt.set(at, count);
    this.kept.push(line);
    if (fate !== 'live') this.#synced = new Set();
    if (fate !== 'missed') await this.#live(line);
    if (fate !== 'live') await this.attach();
  }

  async #live(line: IrcLine): Promise<void> {
    const { capture } = open.store;
    await capture.ingest(this.#accountId, 'main', { lines: observed(line), isReplay: false, synced: this.#synced });
  }

  /** Attaches anew; each page is what the bouncer gives at once. */
  async attach(): Promise<void> {
    let next: number | undefined =
      (await open.store.capture.syncedTo(this.#accountId, 'main', CHANNEL)) - REPLAY_OVERLAP_MS;
    while (next !== undefined) {
      const from: number = next;
      const lines = this.kept.filter((line) => (serverTimeOf(line) ?? 0) >= from).slice(0, PAGE_LINES);
      const page = pageOf(CHANNEL, lines, PAGE_LINES);
      const batch = { lines: page.lines.flatMap(observed), isReplay: true, synced: new Set([CHANNEL]) };
      await open.store.capture.ingest(this.#accountId, 'main', batch);
      next = page.next;
    }
    this.#synced = new Set([CHANNEL]);
  }
}

for (const [server, hasIds] of [
  ['with message ids', true],
  ['without message ids', false],
] as const) {
  test(`whatever is missed, repeated and cut into pages, each line of a server ${server} is stored once and in order`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(said, { maxLength: 24 }), async (lines) => {
        serial += 1;
        const accountId = await open.account(`person${serial}`);
        open.clock.set(BEGIN);
        await open.store.capture.begin(accountId, 'main', [CHANNEL], BEGIN);
        const channel = new Channel(accountId);
        let at = BEGIN;
        for (const [index, { afterMs, text, fate }] of lines.entries()) {
          at += afterMs;
          open.clock.set(at);
          const id = hasIds ? `msgid=${serial}-${index};` : '';
          const tags = `@${id}time=${new Date(at).toISOString()}`;
          await channel.say(parseLine(`${tags} :bob!b@h PRIVMSG ${CHANNEL} :${text}`), fate);
        }
        await channel.attach();
        const stored: { text: string; event_at: number }[] = await open
          .database('entries')
          .where({ account_id: accountId })
          .orderBy(['event_at', 'row'])
          .select('text', 'event_at');

        const inMs = (rows: { text: string; at: number }[]) =>
          rows.map(({ text, at: when }) => `${when} ${text}`).sort();
        expect(inMs(stored.map(({ text, event_at: when }) => ({ text, at: when })))).toEqual(
          inMs(channel.kept.map((line) => ({ text: line.params[1] ?? '', at: serverTimeOf(line) ?? 0 }))),
        );
      }),
      { numRuns: fuzzRuns(60) },
    );
  });
}

test('a millisecond with more lines than a page holds is passed over with its name', () => {
  const at = '2026-01-01T00:00:00.005Z';
  const lines = Array.from({ length: PAGE_LINES }, () => parseLine(`@time=${at} :bob PRIVMSG #room a`));

  expect(pageOf(CHANNEL, lines, PAGE_LINES)).toMatchObject({ next: Date.parse(at) + 1, overfullAt: Date.parse(at) });
  expect(pageOf(CHANNEL, lines.slice(1), PAGE_LINES)).toMatchObject({ next: undefined, overfullAt: undefined });
});
