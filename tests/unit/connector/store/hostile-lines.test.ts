import { expect } from 'vitest';
import type { ObservedLine } from '../../../../src/connector/ports/bouncer-session.ts';
import { newSecret } from '../../../../src/connector/random.ts';
import { BLOCK_ROWS } from '../../../../src/connector/store/text-index.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine } from '../../../harness/open-store.ts';
import { processorMsUntil } from '../../../harness/processor-time.ts';
import { indexAll } from '../../../harness/search-oracle.ts';
import { storeSend } from '../../../harness/stored-sends.ts';

const HOUR_MS = 60 * 60 * 1_000;
const NOW = Date.UTC(2026, 0, 1);
const SYNCED = new Set(['#room']);

const test = testWithStore();

type Line = ReturnType<typeof capturedLine>;

const fingerprints = async (accountId: string): Promise<string[]> =>
  (await open.database('entries').where('account_id', accountId).orderBy('row').pluck('fingerprint')) as string[];

test('a flood of lines without ids costs far fewer statements than it has lines: new lines, the same ones again, and equal lines of one millisecond', async () => {
  const accountId = await open.account('flooded');
  const LINES = 300;
  const flood = (text: (n: number) => string) => Array.from({ length: LINES }, (_, n) => twin(text(n)));
  const [different, equal] = [() => flood((n) => `y ${n}`), () => flood(() => 'x')];
  const costs: number[] = [];

  for (const lines of [different(), different(), different(), equal(), equal()]) {
    costs.push(await statementsOf(() => ingest(accountId, lines)));
  }

  expect(Math.max(...costs)).toBeLessThan(LINES / 4);
  expect(new Set(await fingerprints(accountId)).size).toBe(5 * LINES);
});

test.for([false, true])(
  'lines that others say with tags of sends cost no more statements than lines without: replayed %s',
  async (isReplay) => {
    const accountId = await open.account(`tagged, replayed ${isReplay}`);
    const LINES = 300;
    const [awaited, echoed] = [await send(accountId, 'awaited'), await send(accountId, 'echoed')];
    await hear(accountId, { ...capturedLine('echoed', NOW), sender: 'ada' }, { tag: echoed, isNick: true });
    const flood = (tagOf: () => string | undefined) =>
      Array.from({ length: LINES }, (_, n): ObservedLine => {
        const tag = tagOf();
        return {
          line: capturedLine(`flood ${n}`, NOW + n),
          own: tag === undefined ? undefined : { tag, isNick: false, isJoin: false },
        };
      });
    const costOf = (lines: readonly ObservedLine[]) =>
      statementsOf(() => open.store.capture.ingest(accountId, 'main', { lines, isReplay, synced: SYNCED }));

    const plain = await costOf(flood(() => undefined));
    const tagged = [
      await costOf(flood(() => awaited)),
      await costOf(flood(() => echoed)),
      await costOf(flood(() => newSecret())),
    ];

    expect(Math.max(...tagged)).toBeLessThan(plain + LINES / 30);
    expect(await open.database('message_parts').where('tag', awaited).pluck('echoed_at')).toEqual([null]);
  },
);

test.for([false, true])(
  'lines of the own nick cost one statement or two each, of which the first finds the send: replayed %s',
  async (isReplay) => {
    const accountId = await open.account(`own, replayed ${isReplay}`);
    const LINES = 300;
    const lines = Array.from({ length: LINES }, (_, n): ObservedLine => {
      const line = n % 2 === 0 ? capturedLine(`own ${n}`, NOW + n) : twin(`own ${n}`, NOW + n);
      return { line, own: { tag: n % 3 === 0 ? newSecret() : undefined, isNick: true, isJoin: false } };
    });
    const run = () => open.store.capture.ingest(accountId, 'main', { lines, isReplay, synced: SYNCED });

    const cost = await statementsOf(run);
    const { knownCount } = await run();

    expect(cost).toBeLessThan(1.2 * LINES);
    expect(knownCount).toBe(LINES);
    expect(await fingerprints(accountId)).toHaveLength(LINES);
  },
);

test('an own line that comes twice at once is stored once, and echoes one send', async () => {
  const accountId = await open.account('twice');
  const tag = await send(accountId, 'said');
  const echo = { ...capturedLine('said', NOW), sender: 'ada' };
  const another = { ...capturedLine('from another client', NOW), sender: 'ada' };
  const heard = (line: Line, sent?: string): ObservedLine => ({
    line,
    own: { tag: sent, isNick: true, isJoin: false },
  });

  const { knownCount } = await open.store.capture.ingest(accountId, 'main', {
    lines: [heard(echo, tag), heard(another), heard(echo, tag), heard(another), { line: another, own: undefined }],
    isReplay: false,
    synced: SYNCED,
  });

  expect(knownCount).toBe(3);
  expect((await newestOf(accountId)).map(({ text }) => text).sort()).toEqual(['from another client', 'said']);
});

test('equal lines are numbered without a gap over batches, so that a replay knows each of them', async () => {
  const accountId = await open.account('numbered');
  for (const count of [1, 2, 5, 9])
    await ingest(
      accountId,
      Array.from({ length: count }, () => twin()),
    );

  const { knownCount, entries } = await ingest(
    accountId,
    Array.from({ length: 18 }, () => twin()),
    true,
  );

  expect(await fingerprints(accountId)).toEqual(Array.from({ length: 18 }, (_, n) => `${twin().fingerprintBase}#${n}`));
  expect({ knownCount, stored: entries.length }).toEqual({ knownCount: 17, stored: 1 });
});

test.for([false, true])('lines that come at once with the same id are one entry: replayed %s', async (isReplay) => {
  const accountId = await open.account(`same id, replayed ${isReplay}`);
  const same = ['one', 'two', 'three'].map((text): Line => ({ ...capturedLine(text, NOW), fingerprintBase: 'the id' }));
  const other = capturedLine('other', NOW);

  const first = await ingest(accountId, [...same, other, ...same], isReplay);
  const again = await ingest(accountId, same, isReplay);

  expect(first.entries.map(({ text }) => text)).toEqual(['one', 'other']);
  expect([first.knownCount, again.knownCount, again.entries.length]).toEqual([5, 3, 0]);
  expect(await open.database('channel_counts').where('account_id', accountId).pluck('stored')).toEqual([2]);
});

test('a line of long ago does not set back the time from which the next session asks', async () => {
  const accountId = await open.account('dated');
  await open.store.capture.begin(accountId, 'main', ['#room'], NOW - HOUR_MS);

  await ingest(accountId, [capturedLine('now', NOW)]);
  await ingest(accountId, [capturedLine('of 1970', 0)]);

  expect(await open.store.capture.syncedTo(accountId, 'main', '#room')).toBe(NOW);
});

test('after a line of a server whose clock is behind by hours, the next session asks from that time on', async () => {
  const accountId = await open.account('behind');
  await open.store.capture.begin(accountId, 'main', ['#room'], NOW);

  await ingest(accountId, [capturedLine('an hour behind', NOW - HOUR_MS)]);
  const behind = await open.store.capture.syncedTo(accountId, 'main', '#room');
  await ingest(accountId, [capturedLine('of yesterday', NOW - 25 * HOUR_MS)]);

  expect(behind).toBe(NOW - HOUR_MS);
  expect(await open.store.capture.syncedTo(accountId, 'main', '#room')).toBe(behind);
});

test('a channel that was away for long is asked from page to page, however old the pages are', async () => {
  const accountId = await open.account('away');
  await open.store.capture.begin(accountId, 'main', ['#room'], NOW - 100 * HOUR_MS);

  await ingest(accountId, [capturedLine('of the first page', NOW - 90 * HOUR_MS)]);

  expect(await open.store.capture.syncedTo(accountId, 'main', '#room')).toBe(NOW - 90 * HOUR_MS);
});

test('a time that our own clock gave while it was ahead is set back by the next line', async () => {
  const accountId = await open.account('ahead');
  await open.store.capture.begin(accountId, 'main', ['#room'], NOW + 1_000 * HOUR_MS);

  await ingest(accountId, [capturedLine('now', NOW - 1)]);

  expect(await open.store.capture.syncedTo(accountId, 'main', '#room')).toBe(NOW - 1);
});

test('a server whose clock is ahead by hours is believed, one that is ahead by more than a day is not', async () => {
  const accountId = await open.account('future');

  await ingest(accountId, [
    capturedLine('of 9999', Date.UTC(9999, 0, 1)),
    capturedLine('of tonight', NOW + 20 * HOUR_MS),
  ]);

  expect(await newestOf(accountId)).toEqual([
    { text: 'of tonight', eventAt: NOW + 20 * HOUR_MS, timestampSource: 'server' },
    { text: 'of 9999', eventAt: NOW, timestampSource: 'observed' },
  ]);
});

test('an echo that is dated years ahead does not take its send there', async () => {
  const accountId = await open.account('echoed');
  const tag = await send(accountId, 'said');

  await hear(accountId, capturedLine('said', Date.UTC(9999, 0, 1)), { tag, isNick: true });

  expect(await newestOf(accountId)).toEqual([{ text: 'said', eventAt: NOW, timestampSource: 'observed' }]);
});

test('a line with an earlier nick and the tag of a send is another user’s, but for one missed and still awaited', async () => {
  const accountId = await open.account('ada');
  const [said, missed] = [await send(accountId, 'said'), await send(accountId, 'missed')];
  const line = (text: string): Line => ({ ...capturedLine(text, NOW), sender: 'ada' });
  await hear(accountId, line('said'), { tag: said, isNick: true });

  await hear(accountId, line('forged, live'), { tag: said });
  await hear(accountId, line('forged, replayed'), { tag: said, isReplay: true });
  await hear(accountId, line('forged before the echo'), { tag: missed });
  await hear(accountId, line('missed'), { tag: missed, isReplay: true });

  const texts = (await newestOf(accountId)).map(({ text }) => text).sort();
  expect(texts).toEqual(['forged before the echo', 'forged, live', 'forged, replayed', 'missed', 'said']);
});

test('a phrase that nearly matches at each place of thousands of lines costs less than a second of a processor', async () => {
  const accountId = await open.account('searched');
  const [almost, all] = [`${'a'.repeat(200)}b`, 'a'.repeat(400)];
  // The block of each line has all runs of the phrase.
  const texts = Array.from({ length: 6_000 }, (_, n) => (n % BLOCK_ROWS === 0 ? almost : all));
  for (let from = 0; from < texts.length; from += 500) {
    await ingest(
      accountId,
      texts.slice(from, from + 500).map((text, n) => capturedLine(text, NOW + from + n)),
    );
  }
  await indexAll(open);
  const phrase = `${'a'.repeat(250)}b${'a'.repeat(100)}`;

  const search = async (): Promise<void> => {
    expect(await open.store.history.newestFirst(accountId, { channels: ['#room'], limit: 50, phrase })).toEqual([]);
  };

  expect(await processorMsUntil(search)).toBeLessThan(1_000);
});

/** A send of the account under the nick ada; gives the tag of its line. */
async function send(accountId: string, text: string): Promise<string> {
  const tag = newSecret();
  await storeSend(open, {
    ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: undefined, network: 'main' },
    ...{ channel: '#room', nick: 'ada', text, parts: [{ text, tag }] },
  });
  return tag;
}

/** Returns the number of statements that a work makes. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const counted = (): void => {
    count += 1;
  };
  open.database.on('query', counted);
  await work();
  open.database.off('query', counted);
  return count;
}

/** A line as a server without ids says it any number of times. */
function twin(text = 'x', serverAt = NOW): Line {
  return {
    ...capturedLine(text, serverAt),
    fingerprintBase: `twin ${text} at ${serverAt}`,
    isExact: false,
  };
}

function ingest(accountId: string, lines: readonly Line[], isReplay = false) {
  const observed = lines.map((line) => ({ line, own: undefined }));
  return open.store.capture.ingest(accountId, 'main', { lines: observed, isReplay, synced: SYNCED });
}

/** A line with the tag of a send comes from the bouncer. */
function hear(accountId: string, line: Line, { tag, isNick = false, isReplay = false }: Heard) {
  return open.store.capture.ingest(accountId, 'main', {
    lines: [{ line, own: { tag, isNick, isJoin: false } }],
    isReplay,
    synced: SYNCED,
  });
}

interface Heard {
  tag: string;
  /** Whether the line has the nick in use. */
  isNick?: boolean;
  isReplay?: boolean;
}

async function newestOf(accountId: string) {
  return (await open.store.history.newestFirst(accountId, { channels: ['#room'], limit: 10 })).map(
    ({ text, eventAt, timestampSource }) => ({ text, eventAt, timestampSource }),
  );
}
