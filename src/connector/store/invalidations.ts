import type { Freshness, Invalidations, Subject, Topic } from '../ports/invalidations.ts';

/** Time after which an unanswered commit is decided: longer than a server waits for the rest of a transaction. */
const DOUBT_MS = 60_000;

/** A process that has its database for itself as long as it runs. */
const ALWAYS_ALONE: Freshness = { alone: () => 0, sinceBoot: () => 0 };

/** Creates invalidations within one process. @param freshness whether other processes write to the database, too */
export function createInvalidations(freshness: Freshness = ALWAYS_ALONE): Invalidations {
  const listeners = new Map<Topic, ((key: string) => void)[]>();
  return {
    tell: (topic, key) => {
      for (const forget of listeners.get(topic) ?? []) forget(key);
    },
    on: (topic, forget) => {
      listeners.set(topic, [...(listeners.get(topic) ?? []), forget]);
    },
    freshness,
  };
}

/**
 * Makes a change and invalidates its subjects when it is stored. Never call it within a transaction.
 * @param subjects what changes; `work` may add to them
 */
export async function telling<T>(
  invalidations: Invalidations,
  subjects: readonly Subject[],
  work: () => Promise<T>,
): Promise<T> {
  const tell = (): void => {
    for (const [topic, key] of subjects) invalidations.tell(topic, key);
  };
  try {
    return await work();
  } catch (error) {
    // The database may have made the change without an answer, or may still make it.
    setTimeout(tell, DOUBT_MS).unref();
    throw error;
  } finally {
    tell();
  }
}
