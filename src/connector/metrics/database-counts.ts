import { Counter, Gauge, type Registry } from 'prom-client';

/** Counts that only the database knows; called at each scrape. They are the same at each process. */
export interface DatabaseCounts {
  deliveries(): Promise<{ waiting: number; dropped: number }>;
  /** Number of orders for accounts that wait for an outcome. */
  orders(): Promise<number>;
}

/** Longest time that a scrape waits for the database: Prometheus abandons a whole scrape after ten seconds. */
const ANSWER_DEADLINE_MS = 1_000;

/** Adds metrics that only the database knows; without its answer the rest of the scrape is still valid. */
export function addDatabaseCounts(registry: Registry, { deliveries, orders }: DatabaseCounts): void {
  const registers = [registry];
  const known = askedTogether(deliveries);
  new Gauge({
    name: 'homeport_connector_orders_waiting',
    help: 'Orders to go online, offline or to another network that wait for the process that has the accounts, of the whole database; NaN where it does not answer within a second.',
    registers,
    async collect() {
      // The metric is NaN while the database does not answer.
      this.set((await inTime(orders().catch(() => undefined))) ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'homeport_connector_deliveries_waiting',
    help: 'Deliveries that wait for their first or next attempt, of the whole database; NaN where the database does not answer within a second.',
    registers,
    async collect() {
      this.set((await known())?.waiting ?? Number.NaN);
    },
  });
  const dropped = new Counter({
    name: 'homeport_connector_deliveries_dropped_total',
    help: 'Deliveries that were given up because too many waited, or waited too long, of the whole database; where the database does not answer within a second, as it was last counted, and missing before the first count.',
    registers,
    async collect() {
      const counts = await known();
      if (counts === undefined) return;
      this.reset();
      this.inc(counts.dropped);
    },
  });
  // Zero would look like a reset: all earlier drops would then count as new ones.
  dropped.remove();
}

/** Concurrent callers share one query. A caller whose deadline passes gets undefined. */
function askedTogether<T>(counts: () => Promise<T>): () => Promise<T | undefined> {
  let asked: Promise<T | undefined> | undefined;
  return () => {
    asked ??= counts()
      // Each caller gets undefined; the next one asks again.
      .catch(() => undefined)
      .finally(() => {
        asked = undefined;
      });
    return inTime(asked);
  };
}

async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  const tooLate = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => tooLate.resolve(undefined), ANSWER_DEADLINE_MS);
  try {
    return await Promise.race([answer, tooLate.promise]);
  } finally {
    clearTimeout(timer);
  }
}
