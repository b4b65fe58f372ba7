import type { Logger } from '../../kernel/log.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Longest time for which data of a removed account stay once the bouncer answers again. */
const INTERVAL_MS = 60_000;

export interface RemovalOptions {
  /** Reports when an account was removed, and when its history is deleted. */
  invalidations: Invalidations;
  log: Logger;
  /** Deletes the remaining data of removed accounts. */
  finishRemovals(signal: AbortSignal): Promise<void>;
}

/** Finishes removals, also those that the bouncer, or the end of the program, has interrupted. */
export function startRemovals({ invalidations, log, finishRemovals }: RemovalOptions): Repeated {
  const passes = repeat(
    { failure: 'a removed account could not be cleared away', everyMs: INTERVAL_MS, log },
    finishRemovals,
  );
  invalidations.on('owed', () => passes.wake());
  return passes;
}
