import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import type { RemovalStore } from '../ports/removal-store.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Longest time for which data of a removed account stay once the bouncer answers again. */
const INTERVAL_MS = 60_000;
/** Interval of looks for accounts that other processes have removed: their sessions end then. */
const LOOK_MS = 2_000;

export interface RemovalOptions {
  /** Reports when an account was removed, and when its history is deleted. */
  invalidations: Invalidations;
  removals: Pick<RemovalStore, 'closed'>;
  log: Logger;
  /** Deletes the remaining data of removed accounts. */
  finishRemovals(signal: AbortSignal): Promise<void>;
}

/** Finishes removals, also those that the bouncer, or the end of the program, has interrupted. */
export function startRemovals({ invalidations, removals, log, finishRemovals }: RemovalOptions): Repeated {
  /** Accounts whose history was reported as owed after a pass: a report wakes the passes, too. */
  let reported: ReadonlySet<string> = new Set();
  /** The end of a session stores its last lines, perhaps after the deletions have looked. */
  const reportHistories = async (): Promise<void> => {
    const left = (await removals.closed()).filter(({ hasHistory }) => hasHistory).map(({ accountId }) => accountId);
    const before = reported;
    reported = new Set(left);
    for (const accountId of left) if (!before.has(accountId)) invalidations.invalidate('owed', accountId);
  };
  const passes = repeat(
    { failure: 'a removed account could not be cleared away', everyMs: INTERVAL_MS, log },
    async (signal) => {
      const failures: unknown[] = [];
      const keep = (failure: unknown): void => void failures.push(failure);
      await finishRemovals(signal).catch(keep);
      // Also after a failure: it may be another account's.
      if (!signal.aborted) await reportHistories().catch(keep);
      if (failures.length > 1) throw new AggregateError(failures, failures.map(messageOf).join('; '));
      if (failures.length > 0) throw failures[0];
    },
  );
  invalidations.on('owed', () => passes.wake());
  let known = new Set<string>();
  const looks = repeat(
    { failure: 'accounts that were removed could not be looked for', everyMs: LOOK_MS, log },
    async () => {
      if (invalidations.freshness.alone() !== undefined) return;
      const ids = (await removals.closed()).map(({ accountId }) => accountId);
      if (ids.some((id) => !known.has(id))) passes.wake();
      known = new Set(ids);
    },
  );
  return { close: async () => void (await Promise.all([looks.close(), passes.close()])) };
}
