import type { Freshness, Invalidations, Subject, Topic } from '../ports/invalidations.ts';

/** Time after which an unanswered commit is decided: longer than a server waits for the rest of a transaction. */
const DOUBT_MS = 60_000;

/** A process that has its database for itself as long as it runs. */
const ALWAYS_ALONE: Freshness = { alone: () => 0, sinceBoot: () => 0 };

/** Invalidations of a process that may also hear what other processes change. */
export interface SharedInvalidations extends Invalidations {
  /** Handles a change that another process has made. */
  heard(topic: Topic, key: string): void;
  /** Handles a time in which changes of other processes were not heard: all that was read may be outdated. */
  missed(): void;
  /** Calls `publish` for each change that this process makes. */
  publishTo(publish: (subject: Subject) => void): void;
}

/** Creates invalidations within one process. @param freshness whether other processes write to the database, too */
export function createInvalidations(freshness: Freshness = ALWAYS_ALONE): SharedInvalidations {
  const listeners = new Map<Topic, ((key: string | undefined) => void)[]>();
  let publish: ((subject: Subject) => void) | undefined;
  const heard = (topic: Topic, key: string | undefined): void => {
    for (const forget of listeners.get(topic) ?? []) forget(key);
  };
  return {
    invalidate: (topic, key) => {
      heard(topic, key);
      publish?.([topic, key]);
    },
    on: (topic, forget) => {
      listeners.set(topic, [...(listeners.get(topic) ?? []), forget]);
    },
    freshness,
    heard,
    missed: () => {
      for (const topic of listeners.keys()) heard(topic, undefined);
    },
    publishTo: (to) => {
      publish = to;
    },
  };
}

/**
 * Makes a change and invalidates its subjects when it is stored. Never call it within a transaction.
 * @param subjects what changes; `work` may add to them
 */
export async function invalidating<T>(
  invalidations: Invalidations,
  subjects: readonly Subject[],
  work: () => Promise<T>,
): Promise<T> {
  const invalidate = (): void => {
    for (const [topic, key] of subjects) invalidations.invalidate(topic, key);
  };
  try {
    return await work();
  } catch (error) {
    // The database may have made the change without an answer, or may still make it.
    setTimeout(invalidate, DOUBT_MS).unref();
    throw error;
  } finally {
    invalidate();
  }
}
