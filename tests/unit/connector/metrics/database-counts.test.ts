import { Registry } from 'prom-client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMetrics } from '../../../../src/connector/metrics/connector-metrics.ts';
import { addDatabaseCounts, type DatabaseCounts } from '../../../../src/connector/metrics/database-counts.ts';

/** Prometheus waits ten seconds by default. */
const SCRAPE_MAX_MS = 3_000;

const LEVELS = {
  ...{ sessionsOnline: 7, sessionsWanted: 7, networksConnected: 7 },
  ...{ waitingTasks: 0, waitingLines: 0, unindexedEntries: 0 },
};

/** Samples of the queue of deliveries, without the beginning that they share. */
const samplesIn = (exposition: string): string[] =>
  exposition.split('\n').flatMap((line) => /^homeport_connector_deliveries_(\w+ .*)$/.exec(line)?.[1] ?? []);

test('a scrape while the database hangs has the other metrics in time, and asks the database once', async () => {
  const { queue, counts } = playQueue();
  const { registry } = createMetrics(() => LEVELS, counts);

  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answers = Promise.all([registry.metrics(), registry.metrics()]);
  await vi.advanceTimersByTimeAsync(SCRAPE_MAX_MS);
  const [exposition] = await answers;

  expect(queue.questions).toBe(1);
  expect(exposition).toMatch(/^homeport_connector_sessions_online 7$/m);
  expect(samplesIn(exposition)).toEqual(['waiting Nan']);
});

test('the count of dropped deliveries keeps its last value while the database does not answer, and is missing before the first', async () => {
  const { queue, counts } = playQueue();
  const registry = new Registry();
  addDatabaseCounts(registry, counts);
  const scrape = async () => samplesIn(await registry.metrics());

  queue.answer = new Error('no database');
  const before = await scrape();
  queue.answer = { waiting: 2, dropped: 5 };
  const known = await scrape();
  queue.answer = new Error('no database');
  const after = await scrape();
  queue.answer = { waiting: 0, dropped: 6 };

  expect([before, known, after, await scrape()]).toEqual([
    ['waiting Nan'],
    ['waiting 2', 'dropped_total 5'],
    ['waiting Nan', 'dropped_total 5'],
    ['waiting 0', 'dropped_total 6'],
  ]);
});

test('orders that wait are counted by the database, and are not a number while it does not answer', async () => {
  const { queue, counts } = playQueue();
  const registry = new Registry();
  addDatabaseCounts(registry, counts);
  queue.answer = { waiting: 0, dropped: 0 };
  const known = await registry.metrics();
  queue.answer = new Error('no database');

  expect(known).toMatch(/^homeport_connector_orders_waiting 3$/m);
  expect(await registry.metrics()).toMatch(/^homeport_connector_orders_waiting Nan$/m);
});

/** A queue that the test lets answer or not. */
function playQueue() {
  const queue = {
    answer: undefined as Awaited<ReturnType<DatabaseCounts['deliveries']>> | Error | undefined,
    questions: 0,
  };
  const deliveries: DatabaseCounts['deliveries'] = () => {
    queue.questions += 1;
    if (queue.answer === undefined) return new Promise(() => undefined);
    return queue.answer instanceof Error ? Promise.reject(queue.answer) : Promise.resolve(queue.answer);
  };
  const orders = (): Promise<number> =>
    queue.answer instanceof Error ? Promise.reject(queue.answer) : Promise.resolve(3);
  return { queue, counts: { deliveries, orders } };
}
