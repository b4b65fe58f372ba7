import type { Logger } from '../../kernel/log.ts';
import { pause } from '../pause.ts';
import type { Resealing } from '../ports/resealing.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Interval of attempts after a failure. */
const INTERVAL_MS = 60_000;
/** Texts checked in one step: few, so that other work need not wait long. */
const STEP_TEXTS = 100;
/** Interval of looks whether the other processes have moved on to the newest key. */
const SETTLED_POLL_MS = 1_000;
/** Pause between two steps, in which other work can run. */
const STEP_PAUSE_MS = 20;

export interface ResealingOptions {
  resealing: Resealing;
  /** Whether no process stores anything any more that an earlier key encrypts. */
  isSettled(): boolean;
  /** Deletes the earlier keys. Undefined if the owner manages the keys. */
  forgetEarlierKeys: (() => void) | undefined;
  log: Logger;
}

/** Encrypts all texts with the newest key after the keys were replaced; then the earlier keys are no longer needed. */
export function startResealing({ resealing, isSettled, forgetEarlierKeys, log }: ResealingOptions): Repeated {
  let isDone = false;
  return repeat(
    { failure: 'what earlier keys encrypted could not be encrypted anew', everyMs: INTERVAL_MS, log },
    async (signal) => {
      if (isDone) return;
      while (!isSettled()) if (!(await pause(SETTLED_POLL_MS, signal))) return;
      while (await resealing.advance(STEP_TEXTS)) if (!(await pause(STEP_PAUSE_MS, signal))) return;
      forgetEarlierKeys?.();
      isDone = true;
      const advice = forgetEarlierKeys === undefined ? ': remove them from the file that keysFile names' : '';
      log.info(resealing.counts(), `nothing depends on the earlier keys any more${advice}`);
    },
  );
}
