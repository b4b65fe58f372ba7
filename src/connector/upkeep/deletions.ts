import type { Logger } from '../../kernel/log.ts';
import { pause } from '../pause.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import type { OwedDeletion, RetentionStore } from '../ports/store.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Interval of attempts after a failure. */
const INTERVAL_MS = 60_000;
/** Entries removed in one transaction: few, so that other work need not wait long. */
const STEP_ENTRIES = 500;
/** Pause between two transactions, in which other work can run. */
const STEP_PAUSE_MS = 20;

export interface DeletionsOptions {
  retention: Pick<RetentionStore, 'owed' | 'removeOwed'>;
  /** Reports when a deletion is owed. */
  invalidations: Invalidations;
  log: Logger;
  /** Called after a pass that has removed entries. */
  onRemoved(): void;
}

/**
 * Removes histories that people have deleted, and those of removed accounts; also deletions that an earlier run left
 * unfinished.
 */
export function startDeletions({ retention, invalidations, log, onRemoved }: DeletionsOptions): Repeated {
  const passes = repeat({ failure: 'a history could not be deleted', everyMs: INTERVAL_MS, log }, async (signal) => {
    let removed = 0;
    const counting = async (owed: OwedDeletion, limit: number): Promise<number> => {
      const count = await retention.removeOwed(owed, limit);
      removed += count;
      return count;
    };
    try {
      await removeOwed({ owed: () => retention.owed(), removeOwed: counting }, signal);
    } finally {
      if (removed > 0) onRemoved();
    }
  });
  invalidations.on('owed', () => passes.wake());
  return passes;
}

/**
 * Runs one pass over all owed deletions. Failing and long ones do not block others: each gets one step, then each the
 * next, including new ones.
 * @throws the first failure
 */
export async function removeOwed(retention: DeletionsOptions['retention'], signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  const open = new Map<string, OwedDeletion>();
  /** Deletions that are complete, or have failed. */
  const ended = new Set<string>();
  for (;;) {
    const more = (await retention.owed()).filter((owed) => !ended.has(nameOf(owed)));
    for (const owed of more) open.set(nameOf(owed), owed);
    if (open.size === 0) return throwFirst(failures);
    for (const [name, owed] of open) {
      if (!(await hasMore(retention, owed, failures))) {
        open.delete(name);
        ended.add(name);
      }
      if (!(await pause(STEP_PAUSE_MS, signal))) return throwFirst(failures);
    }
  }
}

/** Runs one step of a deletion. Returns whether more is left; false also after a failure. */
async function hasMore(
  retention: DeletionsOptions['retention'],
  owed: OwedDeletion,
  failures: unknown[],
): Promise<boolean> {
  try {
    return (await retention.removeOwed(owed, STEP_ENTRIES)) > 0;
  } catch (error) {
    failures.push(error);
    return false;
  }
}

const nameOf = ({ accountId, upTo }: OwedDeletion): string => JSON.stringify([accountId, upTo]);

function throwFirst(failures: readonly unknown[]): void {
  if (failures.length > 0) throw failures[0];
}
