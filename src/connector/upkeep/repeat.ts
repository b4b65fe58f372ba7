import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { pause } from '../pause.ts';

/**
 * Least pause after a failed pass, also if it was woken meanwhile: a pass may report what it could not store, and wake
 * itself by that. Without a pause it would run again at once and for ever, and keep the process from all else.
 */
const AFTER_FAILURE_MS = 500;

/** Deadline for repeated work under way when the program ends. */
const END_DEADLINE_MS = 3_500;

export interface RepeatOptions {
  /** Log message of a failed pass, such as "old entries could not be removed". */
  failure: string;
  /** Milliseconds from the end of one pass to the beginning of the next; a function is called after each pass. */
  everyMs: number | (() => number);
  log: Logger;
}

export interface Repeated {
  /** Starts no more passes; resolves when the one under way has ended. */
  close(): Promise<void>;
}

export interface Wakeable extends Repeated {
  /** Starts the next pass now, or right after the one under way; after a failed one half a second later. */
  wake(): void;
}

/**
 * Runs passes one after the other, with a pause in between. A failure is logged, once as long as its reason stays the
 * same, and the next pass comes as usual.
 * @param pass looks at the signal between its steps and ends early when it is aborted
 */
export function repeat(
  { failure, everyMs, log }: RepeatOptions,
  pass: (signal: AbortSignal) => Promise<void>,
): Wakeable {
  const ended = new AbortController();
  let alarm = new AbortController();
  const waitMs = typeof everyMs === 'number' ? () => everyMs : everyMs;
  const passes = async (): Promise<void> => {
    let loggedReason: string | undefined;
    do {
      let leastMs = 0;
      // A wake during the pass may be about data that the pass has already left behind.
      alarm = new AbortController();
      try {
        await pass(ended.signal);
        loggedReason = undefined;
      } catch (error) {
        const reason = messageOf(error);
        if (reason !== loggedReason) log.error({ err: error }, `${failure}; trying again`);
        loggedReason = reason;
        leastMs = AFTER_FAILURE_MS;
      }
      const restMs = waitMs();
      await pause(Math.min(leastMs, restMs), ended.signal);
      await pause(Math.max(0, restMs - leastMs), alarm.signal);
    } while (!ended.signal.aborted);
  };
  const done = passes();
  return {
    wake: () => alarm.abort(),
    close: async () => {
      ended.abort();
      alarm.abort();
      await done;
    },
  };
}

/** Ends repeated work; what hangs is not waited for. */
export async function endOf(work: readonly Repeated[]): Promise<void> {
  const all = Promise.all(work.map((each) => each.close()));
  await Promise.race([all, delay(END_DEADLINE_MS, undefined, { ref: false })]);
}
