import type { Logger } from '../../kernel/log.ts';
import { type Repeated, repeat } from './repeat.ts';

/** How long what is left of a removed account may stay once the bouncer answers again. */
const INTERVAL_MS = 60_000;

export interface RemovalOptions {
  log: Logger;
  /** Removes what is left of accounts that were removed. */
  finishRemovals(signal: AbortSignal): Promise<void>;
}

/** Finishes removals that the bouncer, or the end of the program, has interrupted; now and at each interval. */
export function startRemovals({ log, finishRemovals }: RemovalOptions): Repeated {
  return repeat({ failure: 'a removed account could not be cleared away', everyMs: INTERVAL_MS, log }, finishRemovals);
}
