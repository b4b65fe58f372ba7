import { Counter, Gauge, type Registry } from 'prom-client';

/** What the queue of deliveries tells; asked when a scrape comes. */
export type DeliveryCounts = () => Promise<{ waiting: number; dropped: number }>;

type Counts = Awaited<ReturnType<DeliveryCounts>>;

/** So long a scrape waits for the database: Prometheus gives a whole scrape up after ten seconds. */
const ANSWER_DEADLINE_MS = 1_000;

/** Metrics of the queue of deliveries, which only the database knows; without its answer the rest of the scrape is still good. */
export function addDeliveryCounts(registry: Registry, counts: DeliveryCounts): void {
  const registers = [registry];
  const known = askedTogether(counts);
  new Gauge({
    name: 'homeport_connector_deliveries_waiting',
    help: 'Deliveries that wait for their first or next attempt; NaN where the database does not answer within a second.',
    registers,
    async collect() {
      this.set((await known())?.waiting ?? Number.NaN);
    },
  });
  const dropped = new Counter({
    name: 'homeport_connector_deliveries_dropped_total',
    help: 'Deliveries that were given up because too many waited, or waited too long; where the database does not answer within a second, as it was told last, and missing before it was.',
    registers,
    async collect() {
      const told = await known();
      if (told === undefined) return;
      this.reset();
      this.inc(told.dropped);
    },
  });
  // Zero would look like a new beginning: everything dropped before would then count as dropped just now.
  dropped.remove();
}

/** One question to the database for all who ask while it is open; undefined for whom it is not answered in time. */
function askedTogether(counts: DeliveryCounts): () => Promise<Counts | undefined> {
  let asked: Promise<Counts | undefined> | undefined;
  return () => {
    asked ??= counts()
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
