import type { Invalidations, Subject, Topic } from '../ports/invalidations.ts';

/**
 * Longer than a server waits for the rest of a transaction: a commit of which nobody heard has been made by then, or never
 * will be.
 */
const DOUBT_MS = 60_000;

/** Within one process, which has the database to itself. */
export function createInvalidations(): Invalidations {
  const listeners = new Map<Topic, ((key: string) => void)[]>();
  return {
    tell: (topic, key) => {
      for (const forget of listeners.get(topic) ?? []) forget(key);
    },
    on: (topic, forget) => {
      listeners.set(topic, [...(listeners.get(topic) ?? []), forget]);
    },
  };
}

/**
 * Makes a change and tells of it when it is stored. Never call it within a transaction.
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
