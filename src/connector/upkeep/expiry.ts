import type { Logger } from '../../kernel/log.ts';
import { pause, type Repeated, repeat } from './repeat.ts';

const INTERVAL_MS = 60_000;
/** Rows removed in one step: few, so that others need not wait long. */
const STEP_ROWS = 500;
/** Between two steps other work can run. */
const STEP_PAUSE_MS = 20;

/** Something stored that ends at a time. */
export interface Expiring {
  /** For the log, in the plural: "OAuth records". */
  what: string;
  /** Removes at most `limit` of those that have ended, in one short transaction; returns how many. */
  removeEnded(limit: number): Promise<number>;
}

export interface ExpiryOptions {
  log: Logger;
  expiring: readonly Expiring[];
  /** Whether the clock may decide what has ended. */
  isSteady: () => boolean;
}

/** Removes what has ended, every minute. Each kind goes on by itself, so that the failure of one leaves the others alone. */
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
