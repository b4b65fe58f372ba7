import type { Logger } from '../../kernel/log.ts';
import { pause } from '../pause.ts';
import { type Repeated, repeat } from './repeat.ts';

const INTERVAL_MS = 60_000;
/** Rows removed in one step: few, so that other work need not wait long. */
const STEP_ROWS = 500;
/** Pause between two steps, in which other work can run. */
const STEP_PAUSE_MS = 20;

/** Kind of stored rows that end at a time. */
export interface Expiring {
  /** Name for the log, in the plural: "OAuth records". */
  what: string;
  /** Removes at most `limit` ended rows, in one short transaction; returns how many. */
  removeEnded(limit: number): Promise<number>;
}

export interface ExpiryOptions {
  log: Logger;
  expiring: readonly Expiring[];
  /** Returns whether the clock may be trusted to decide what has ended. */
  isSteady: () => boolean;
}

/**
 * Removes ended rows every minute. Each kind runs on its own, so that the failure of one does not affect the others.
 */
export function startExpiry({ log, expiring, isSteady }: ExpiryOptions): Repeated {
  const all = expiring.map(({ what, removeEnded }) =>
    repeat({ failure: `${what} that have ended could not be removed`, everyMs: INTERVAL_MS, log }, async (signal) => {
      while (isSteady() && (await removeEnded(STEP_ROWS)) > 0 && (await pause(STEP_PAUSE_MS, signal)));
    }),
  );
  return {
    close: async () => {
      await Promise.all(all.map((each) => each.close()));
    },
  };
}
