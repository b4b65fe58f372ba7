import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { lineText, startFlood } from '../../harness/flood.ts';
import { type HistoryEntry, historyOf, messagesOf, newestText } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { lockDatabase } from '../../harness/lock-database.ts';
import { agentIn } from '../../harness/person.ts';
import { residentKiB } from '../../harness/resident-memory.ts';
import { keptBySoju } from '../../harness/soju-history.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { watchLoad } from '../../harness/watch-load.ts';

const LINES_PER_SECOND = 10_000;
/** The part that the servers must have passed on, on a machine with other work. */
const LEAST_PER_SECOND = LINES_PER_SECOND / 2;
/** Lines at which reading from the bouncer stops, plus the lines that one read may bring beyond that. */
const QUEUE_BOUND = 2_000 + 1_500;
/** Most growth of memory in KiB: garbage of so many lines before a collection. */
const GROWTH_MAX_KIB = 128 * 1_024;
/** The bouncer's message when a client has not read for ten seconds. */
const GAVE_UP = /failed to write message: write unix .*i\/o timeout/;
/** A statement that stores a hundred lines is far longer. */
const LOG_LINE_MAX = 8_000;
const SLOW = { timeoutMs: 30_000 };

const linesSaid = (count: number) => Array.from({ length: count }, (_, n) => lineText('bob', n));

test('ten thousand lines a second through the bouncer are each kept once, in order, in bounded memory', async () => {
  // With its own database the bouncer would pass on a quarter of that.
  await using flooded = await startOnline('memory');
  const { stack, agent } = flooded;
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  const before = residentKiB(stack.connector.pid);
  const watched = watchLoad(stack);

  const flood = startFlood(bob, '#room', LINES_PER_SECOND);
  await flood.spoken(3 * LINES_PER_SECOND);
  const count = await flood.stop();

  await waitFor(
    'the last line is in history',
    async () => (await newestText(agent)) === lineText('bob', count - 1),
    SLOW,
  );
  const load = await watched();
  const kept = await messagesOf(agent);
  expect(kept.map(({ text }) => text)).toEqual(linesSaid(count));
  expect(perSecond(kept)).toBeGreaterThan(LEAST_PER_SECOND);
  expect(load.queuedLines).toBeLessThan(QUEUE_BOUND);
  expect(load.residentKiB - before).toBeLessThan(GROWTH_MAX_KIB);
});

test('when the bouncer drops a connector whose database is locked, it connects again, and no line is missing or doubled', async () => {
  await using flooded = await startOnline('db');
  const { stack, agent } = flooded;
  using bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  const before = residentKiB(stack.connector.pid);
  const watched = watchLoad(stack);
  const lock = await lockDatabase(stack.database.connect());

  const flood = startFlood(bob, '#room', LINES_PER_SECOND);
  await flood.spoken(LINES_PER_SECOND);
  const count = await flood.stop();
  await waitFor('the bouncer gives up', () => GAVE_UP.test(stack.soju.process.output()), SLOW);
  await waitFor('the bouncer has kept all', async () => (await keptBySoju(stack.folder)).length === count, SLOW);
  expect(await messagesOf(agent)).toEqual([]);
  await lock.release();

  await waitFor(
    'the last line is in history',
    async () => (await newestText(agent)) === lineText('bob', count - 1),
    SLOW,
  );
  const load = await watched();
  const history = await historyOf(agent, '#room');
  expect(history.filter(({ kind }) => kind === 'message').map(({ text }) => text)).toEqual(linesSaid(count));
  expect(history.filter(({ kind }) => kind === 'gap')).toEqual([]);
  const log = stack.connector.output();
  expect(log).toContain('the session with the bouncer ended');
  expect(Math.max(...log.split('\n').map(({ length }) => length))).toBeLessThan(LOG_LINE_MAX);
  expect(load.queuedLines).toBeGreaterThan(QUEUE_BOUND / 2);
  expect(load.queuedLines).toBeLessThan(QUEUE_BOUND);
  expect(load.residentKiB - before).toBeLessThan(GROWTH_MAX_KIB);
});

/** The connector at the bouncer's Unix socket, which holds a few hundred lines: all others wait in the programs. */
async function startOnline(messageStore: 'db' | 'memory'): Promise<Flooded> {
  const stack = await startConnectorStack({ messageStore, onSocket: true });
  const agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
  return {
    stack,
    agent,
    [Symbol.asyncDispose]: async () => {
      await agent[Symbol.asyncDispose]();
      await stack[Symbol.asyncDispose]();
    },
  };
}

/** Returns the lines per second, by the server's own clock. */
function perSecond(entries: readonly HistoryEntry[]): number {
  const [first, last] = [entries.at(0), entries.at(-1)].map((entry) => Date.parse(entry?.eventTime ?? ''));
  return (entries.length * 1_000) / ((last ?? 0) - (first ?? 0));
}

interface Flooded extends AsyncDisposable {
  stack: ConnectorStack;
  agent: Agent;
}
