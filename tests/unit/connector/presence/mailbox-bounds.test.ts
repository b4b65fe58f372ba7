import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ObservedLine } from '../../../../src/connector/ports/bouncer-session.ts';
import { Mailbox } from '../../../../src/connector/presence/mailbox.ts';
import { capturedLine } from '../../../harness/open-store.ts';
import { VirtualTime } from '../../../harness/virtual-time.ts';

/** The bounds of one mailbox. */
const [BATCH_MAX, PAUSE_AT, RESUME_AT] = [500, 2_000, 500];
/** Waits before a task of the bouncer is tried again, in milliseconds; the last one repeats. */
const WAITS_MS = [1_000, 2_000, 4_000, 5_000];
const FAILURES = 20;
const TURNS = 10;

let time: VirtualTime;
let mailbox: Mailbox;
let logged: string[];

beforeEach(() => {
  time = new VirtualTime();
  logged = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  mailbox = new Mailbox({ accountId: 'acc_1', log });
});

afterEach(async () => {
  await time.pass(mailbox.close(0));
  time[Symbol.dispose]();
});

/** Most own lines of a batch. */
const OWN_MAX = 50;

const line = (text: string): ObservedLine => ({ line: capturedLine(text, 0), own: undefined });

test('a stream of calls does not hold up enqueued tasks: the two take turns', async () => {
  const done: string[] = [];
  const ask = (): void => {
    void mailbox.call(async () => {
      done.push('asked');
      if (done.length < 4 * TURNS) ask();
    });
  };
  ask();
  for (let turn = 0; turn < TURNS; turn += 1) mailbox.enqueue(async () => void done.push('told'));

  await time.pass(time.until('all is done', () => done.length >= 4 * TURNS));

  expect(done.slice(0, 2 * TURNS)).toEqual(Array.from({ length: TURNS }, () => ['asked', 'told']).flat());
});

test('a stream of enqueued tasks does not hold up calls: the two take turns', async () => {
  const done: string[] = [];
  const tell = (): void => {
    mailbox.enqueue(async () => {
      done.push('told');
      if (done.length < 4 * TURNS) tell();
    });
  };
  tell();
  for (let turn = 0; turn < TURNS; turn += 1) void mailbox.call(async () => void done.push('asked'));

  await time.pass(time.until('all is done', () => done.length >= 4 * TURNS));

  expect(done.slice(0, 2 * TURNS)).toEqual(Array.from({ length: TURNS }, () => ['asked', 'told']).flat());
});

test('a source that was paused is resumed once as few lines wait as were agreed, and not before', async () => {
  const heard: { what: string; waiting: number }[] = [];
  const note = (what: string) => () => void heard.push({ what, waiting: mailbox.depth.events });
  mailbox.flow = { pause: note('pause'), resume: note('resume') };
  const batches: number[] = [];
  const sink = { takeLive: async (lines: readonly ObservedLine[]) => void batches.push(lines.length) };

  for (let n = 0; n < PAUSE_AT + BATCH_MAX; n += 1) mailbox.enqueueLine(line(`line ${n}`), sink);
  await time.pass(time.until('all is stored', () => mailbox.depth.events === 0));

  expect(batches).toEqual([BATCH_MAX, BATCH_MAX, BATCH_MAX, BATCH_MAX, BATCH_MAX]);
  expect(heard).toEqual([
    { what: 'pause', waiting: PAUSE_AT },
    { what: 'resume', waiting: RESUME_AT },
  ]);
});

test('a session that begins while too much waits is paused like the one before', () => {
  const heard: string[] = [];
  const flowOf = (session: string) => ({
    pause: () => void heard.push(`${session} pauses`),
    resume: () => void heard.push(`${session} goes on`),
  });
  const sink = { takeLive: () => new Promise<void>(() => undefined) };
  mailbox.flow = flowOf('the first');
  for (let n = 0; n < PAUSE_AT; n += 1) mailbox.enqueueLine(line(`line ${n}`), sink);

  mailbox.flow = undefined;
  mailbox.flow = flowOf('the second');

  expect(heard).toEqual(['the first pauses', 'the second pauses']);
});

test('a task that keeps failing is tried later and later, at least every five seconds, and logged once', async () => {
  const triedAt: number[] = [];
  mailbox.enqueue(async () => {
    triedAt.push(time.now());
    if (triedAt.length <= FAILURES) throw new Error('no database');
  });

  await time.pass(time.until('it succeeds', () => mailbox.depth.events === 0));

  const waits = triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? 0));
  expect(waits).toHaveLength(FAILURES);
  for (const [index, waitMs] of waits.entries()) {
    const least = WAITS_MS[Math.min(index, WAITS_MS.length - 1)] ?? 0;
    expect(waitMs).toBeGreaterThanOrEqual(least);
    expect(waitMs).toBeLessThan(least + 100);
  }
  expect(logged).toHaveLength(1);
});

test('a batch has few own lines, each of which takes several statements, however many come at once', async () => {
  const batches: number[][] = [];
  const takeLive = async (lines: readonly ObservedLine[]) =>
    void batches.push([lines.length, lines.filter(({ own }) => own !== undefined).length]);
  const own = { tag: undefined, isNick: true, isJoin: false };

  const sink = { takeLive };
  for (let n = 0; n < 2 * OWN_MAX; n += 1) {
    mailbox.enqueueLine(line(`line ${n}`), sink);
    mailbox.enqueueLine({ ...line(`own ${n}`), own }, sink);
  }
  await time.pass(time.until('all is stored', () => mailbox.depth.events === 0));

  expect(batches).toEqual([
    [2 * OWN_MAX, OWN_MAX],
    [2 * OWN_MAX, OWN_MAX],
  ]);
});

test('a batch has as many lines of others with the tags of sends as of lines without', async () => {
  const sizes: number[] = [];
  const sink = { takeLive: async (lines: readonly ObservedLine[]) => void sizes.push(lines.length) };
  const own = { tag: 'seen in the channel', isNick: false, isJoin: false };

  for (let n = 0; n < 1_200; n += 1) mailbox.enqueueLine({ ...line(`line ${n}`), own }, sink);
  await time.pass(time.until('all is stored', () => mailbox.depth.events === 0));

  expect(sizes).toEqual([500, 500, 200]);
});
