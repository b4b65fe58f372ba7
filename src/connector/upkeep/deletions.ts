import type { Logger } from '../../kernel/log.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import type { RetentionStore } from '../ports/store.ts';
import { pause, type Repeated, repeat } from './repeat.ts';

/** How long after a failure it is tried again. */
const INTERVAL_MS = 60_000;
/** Entries removed in one transaction: few, so that others need not wait long. */
const STEP_ENTRIES = 500;
/** Between two transactions other work can run. */
const STEP_PAUSE_MS = 20;

export interface DeletionsOptions {
  retention: Pick<RetentionStore, 'owed' | 'removeOwed'>;
  /** Tells when something is owed. */
  invalidations: Invalidations;
  log: Logger;
}

/** Removes histories that people have deleted, and those of accounts that are being removed; also what an earlier run left. */
export function startDeletions({ retention, invalidations, log }: DeletionsOptions): Repeated {
  const passes = repeat({ failure: 'a history could not be deleted', everyMs: INTERVAL_MS, log }, (signal) =>
    removeOwed(retention, signal),
  );
  invalidations.on('owed', () => passes.wake());
  return passes;
}

/** One pass over all of them. One that fails does not hold up the others. @throws the first failure */
export async function removeOwed(retention: DeletionsOptions['retention'], signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const owed of await retention.owed()) {
    try {
      while (
        !signal.aborted &&
        (await retention.removeOwed(owed, STEP_ENTRIES)) > 0 &&
        (await pause(STEP_PAUSE_MS, signal))
      );
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
