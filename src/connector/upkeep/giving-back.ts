import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { DAY_MS, PRUNE_INTERVAL_MS } from '../domain/limits.ts';
import { pause } from '../pause.ts';
import type { SpaceStore } from '../ports/space-store.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Interval after a pass that could not finish. */
const RETRY_MS = 60_000;
/** Pause between two steps, in which other work can run. */
const STEP_PAUSE_MS = 20;
/**
 * Interval at which entries removed by retention leave the search index: each time the index is rewritten, 53 MB for a
 * million entries. Entries that a person has deleted leave it at once.
 */
const INDEX_INTERVAL_MS = DAY_MS;

export interface SpaceOptions {
  space: SpaceStore;
  clock: Clock;
  log: Logger;
}

export interface SpaceUpkeep extends Repeated {
  /** Starts a pass after a person's deletion, including the index, so that no part of the history stays. */
  afterDeletion(): void;
}

/** Gives the room of deleted entries back: now (also for an earlier run), at an interval and after deletions. */
export function startGivingBack({ space, clock, log }: SpaceOptions): SpaceUpkeep {
  let indexedAt = Number.NEGATIVE_INFINITY;
  let everyMs = RETRY_MS;
  const passes = repeat(
    { failure: 'the room of deleted entries could not be given back', everyMs: () => everyMs, log },
    async (signal) => {
      everyMs = RETRY_MS;
      const startedAt = clock.monotonic();
      const index = startedAt - indexedAt >= INDEX_INTERVAL_MS;
      // A deletion during the pass requests the index again.
      if (index) indexedAt = startedAt;
      try {
        for await (const _step of space.giveBack({ index })) {
          if (!(await pause(STEP_PAUSE_MS, signal))) return;
        }
      } catch (error) {
        if (index) indexedAt = Number.NEGATIVE_INFINITY;
        throw error;
      }
      everyMs = PRUNE_INTERVAL_MS;
    },
  );
  return {
    afterDeletion: () => {
      indexedAt = Number.NEGATIVE_INFINITY;
      passes.wake();
    },
    close: () => passes.close(),
  };
}
