import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { RetryLater } from '../../../../src/connector/errors.ts';
import type { ObservedLine } from '../../../../src/connector/ports/bouncer-session.ts';
import { SessionEnded } from '../../../../src/connector/presence/generation.ts';
import { Mailbox } from '../../../../src/connector/presence/mailbox.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const PATIENCE_MS = 10_000;
/** The bounds of one mailbox. */
const [CALLS_MAX, BATCH_MAX, PAUSE_AT] = [1_000, 500, 2_000];

let opened: Mailbox[] = [];

afterEach(async () => {
  for (const mailbox of opened) await mailbox.close(0);
  opened = [];
});

const line = (text: string): ObservedLine => ({ line: capturedLine(text, 0), own: undefined });

test('one thing at a time is done, in the order in which it was asked', async () => {
  const mailbox = openMailbox();
  const events: string[] = [];
  const first = Promise.withResolvers<void>();

  const a = mailbox.call(async () => {
    events.push('a begins');
    await first.promise;
    events.push('a ends');
  });
  mailbox.enqueue(async () => void events.push('told'));
  const b = mailbox.call(async () => {
    events.push('b');
    return 'result';
  });
  first.resolve();

  expect(await b).toBe('result');
  await a;
  expect(events).toEqual(['a begins', 'a ends', 'told', 'b']);
});

test('the failure of a call is its caller’s, and the next call runs', async () => {
  const mailbox = openMailbox();

  const failed = mailbox.call(() => Promise.reject(new Error('no')));
  const thrown = mailbox.call(() => {
    throw new Error('not even a promise');
  });
  const next = mailbox.call(async () => 'yes');

  await expect(failed).rejects.toThrow('no');
  await expect(thrown).rejects.toThrow('not even a promise');
  await expect(next).resolves.toBe('yes');
  expect(mailbox.depth).toEqual({ calls: 0, events: 0 });
});

test('a call beyond the bound is refused with when to come back', async () => {
  const mailbox = openMailbox();
  const blocked = Promise.withResolvers<void>();
  const running = mailbox.call(() => blocked.promise);
  await waitFor('the first is under way', () => mailbox.depth.calls === 1);
  await Promise.resolve();
  const waiting = Array.from({ length: CALLS_MAX }, () => mailbox.call(async () => undefined));

  const refused = await mailbox.call(async () => undefined).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RetryLater);
  expect(refused).toMatchObject({ code: 'account_busy', message: expect.stringContaining('try again in 5 s') });

  blocked.resolve();
  await Promise.all([running, ...waiting]);
  await expect(mailbox.call(async () => 'free again')).resolves.toBe('free again');
});

test('lines are handed over many at once, in order, and never with those of another sink', async () => {
  const mailbox = openMailbox();
  const [one, other] = [recordingSink(), recordingSink()];
  const texts = Array.from({ length: BATCH_MAX + 1 }, (_, n) => `line ${n}`);

  for (const text of texts) mailbox.enqueueLine(line(text), one);
  mailbox.enqueueLine(line('of another session'), other);
  mailbox.enqueueLine(line('late'), one);
  await waitFor('all is stored', () => mailbox.depth.events === 0);

  expect(one.batches).toEqual([texts.slice(0, BATCH_MAX), texts.slice(BATCH_MAX), ['late']]);
  expect(other.batches).toEqual([['of another session']]);
});

test('a call waits for one batch of lines and not for all', async () => {
  const mailbox = openMailbox();
  const sink = recordingSink();
  for (let n = 0; n < 3 * BATCH_MAX; n += 1) mailbox.enqueueLine(line(`line ${n}`), sink);
  await mailbox.call(async () => undefined);

  const before = sink.batches.length;
  await mailbox.call(async () => undefined);

  expect(sink.batches.length - before).toBe(1);
});

test('an enqueued task is repeated until it succeeds; calls are answered meanwhile, and later tasks wait', async () => {
  const written: string[] = [];
  const mailbox = openMailbox(written);
  const done: string[] = [];
  let failures = 2;
  mailbox.enqueue(async () => {
    if (failures-- > 0) throw new Error('no database');
    done.push('first');
  });
  mailbox.enqueue(async () => void done.push('second'));
  await waitFor('it failed', () => failures === 1);

  await expect(mailbox.call(async () => 'answered')).resolves.toBe('answered');
  expect(done).toEqual([]);
  await waitFor('both are done', () => done.length === 2, { timeoutMs: PATIENCE_MS });

  expect(done).toEqual(['first', 'second']);
  expect(written).toHaveLength(1);
});

test('a task of a session that has ended is not repeated or logged', async () => {
  const written: string[] = [];
  const mailbox = openMailbox(written);
  let times = 0;
  mailbox.enqueue(async () => {
    times += 1;
    throw new SessionEnded();
  });
  await waitFor('the next is done', () => mailbox.depth.events === 0);

  expect([times, written]).toEqual([1, []]);
});

test('the source is paused while too much waits, and resumed once most of it is stored', async () => {
  const mailbox = openMailbox();
  const heard: string[] = [];
  mailbox.flow = { pause: () => void heard.push('pause'), resume: () => void heard.push('resume') };
  const blocked = Promise.withResolvers<void>();
  const sink = { takeLive: () => blocked.promise };

  for (let n = 0; n < PAUSE_AT; n += 1) mailbox.enqueueLine(line(`line ${n}`), sink);
  expect(heard).toEqual(['pause']);
  blocked.resolve();
  await waitFor('all is stored', () => mailbox.depth.events === 0);

  expect(heard).toEqual(['pause', 'resume']);
});

test('a closed mailbox waits for the running task, refuses waiting calls, and drops enqueued tasks', async () => {
  const mailbox = openMailbox();
  const done: string[] = [];
  const blocked = Promise.withResolvers<void>();
  const running = mailbox.call(async () => {
    await blocked.promise;
    done.push('asked');
  });
  await Promise.resolve();
  await Promise.resolve();
  const waiting = mailbox.call(async () => void done.push('too late')).catch((error: unknown) => error);
  mailbox.enqueue(async () => void done.push('told'));

  const closed = mailbox.close(PATIENCE_MS);
  expect(await waiting).toMatchObject({ code: 'account_busy' });
  blocked.resolve();
  expect(await closed).toBe(true);
  await running;
  mailbox.enqueue(async () => void done.push('told after the end'));

  expect(done).toEqual(['asked']);
  await expect(mailbox.call(async () => undefined)).rejects.toMatchObject({ code: 'account_busy' });
});

test('the end does not wait for something that hangs, or for something that is to be tried again', async () => {
  const [hanging, failing] = [openMailbox(), openMailbox()];
  void hanging.call(() => new Promise<void>(() => undefined));
  let isTried = false;
  failing.enqueue(async () => {
    isTried = true;
    throw new Error('no database');
  });
  await waitFor('it failed', () => isTried);

  expect(await hanging.close(50)).toBe(false);
  expect(await failing.close(PATIENCE_MS)).toBe(true);

  expect(failing.depth).toEqual({ calls: 0, events: 0 });
});

function openMailbox(written?: string[]): Mailbox {
  const log = pino({ level: 'error' }, { write: (line: string) => void written?.push(line) });
  const mailbox = new Mailbox({ accountId: 'acc_1', log });
  opened.push(mailbox);
  return mailbox;
}

/** A sink that records its batches. */
function recordingSink() {
  const batches: string[][] = [];
  const takeLive = async (lines: readonly ObservedLine[]): Promise<void> => {
    batches.push(lines.map(({ line: { text } }) => text));
  };
  return { batches, takeLive };
}
