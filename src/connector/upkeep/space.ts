import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { DAY_MS, PRUNE_INTERVAL_MS } from '../domain/limits.ts';
import type { SpaceStore } from '../ports/space.ts';
import { pause, type Repeated, repeat } from './repeat.ts';

/** After a pass that could not finish. */
const RETRY_MS = 60_000;
/** Between two steps other work can run. */
const STEP_PAUSE_MS = 20;
/**
 * What retention has removed leaves the search index once a day: each time the index is written anew, 53 MB for a million
 * entries. What a person has deleted leaves it at once.
 */
const INDEX_INTERVAL_MS = DAY_MS;

export interface SpaceOptions {
  space: SpaceStore;
  clock: Clock;
  log: Logger;
}

export interface SpaceUpkeep extends Repeated {
  /** A person's history was deleted: all that is left of it goes now. */
  afterDeletion(): void;
}

/** Gives the room of deleted entries back, now (for what an earlier run left), at each interval and after deletions. */
export function startGivingBack({ space, clock, log }: SpaceOptions): SpaceUpkeep {
  let indexedAt = Number.NEGATIVE_INFINITY;
  let everyMs = RETRY_MS;
  const passes = repeat(
    { failure: 'the room of deleted entries could not be given back', everyMs: () => everyMs, log },
    async (signal) => {
      everyMs = RETRY_MS;
      const startedAt = clock.monotonic();
      const index = startedAt - indexedAt >= INDEX_INTERVAL_MS;
      // A deletion that is done during the pass asks for the index again.
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
