import type { Logger } from '../../kernel/log.ts';
import type { Resealing } from '../ports/resealing.ts';
import { pause, type Repeated, repeat } from './repeat.ts';

/** Interval of attempts after a failure. */
const INTERVAL_MS = 60_000;
/** Texts checked in one step: few, so that other work need not wait long. */
const STEP_TEXTS = 100;
/** Pause between two steps, in which other work can run. */
const STEP_PAUSE_MS = 20;

export interface ResealingOptions {
  resealing: Resealing;
  /** Deletes the earlier keys. Undefined if the owner manages the keys. */
  forgetEarlierKeys: (() => void) | undefined;
  log: Logger;
}

/** Encrypts all texts with the newest key after the keys were replaced; then the earlier keys are no longer needed. */
export function startResealing({ resealing, forgetEarlierKeys, log }: ResealingOptions): Repeated {
  let isDone = false;
  return repeat(
    { failure: 'what earlier keys encrypted could not be encrypted anew', everyMs: INTERVAL_MS, log },
    async (signal) => {
      if (isDone) return;
      while (await resealing.advance(STEP_TEXTS)) if (!(await pause(STEP_PAUSE_MS, signal))) return;
      forgetEarlierKeys?.();
      isDone = true;
      const advice = forgetEarlierKeys === undefined ? ': remove them from the file that keysFile names' : '';
      log.info(resealing.counts(), `nothing depends on the earlier keys any more${advice}`);
    },
  );
}
