import type { Logger } from '../../kernel/log.ts';
import type { Resealing } from '../ports/resealing.ts';
import { pause, type Repeated, repeat } from './repeat.ts';

/** After a failure it is tried again. */
const INTERVAL_MS = 60_000;
/** Texts looked at in one step: few, so that others need not wait long. */
const STEP_TEXTS = 100;
/** Between two steps other work can run. */
const STEP_PAUSE_MS = 20;

export interface ResealingOptions {
  resealing: Resealing;
  /** Does without the earlier keys from now on. Undefined where the owner keeps the keys. */
  forgetEarlierKeys: (() => void) | undefined;
  log: Logger;
}

/** Encrypts everything with the newest key after the keys were replaced; when that is done, nothing depends on the earlier ones. */
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
