import { setTimeout as delay } from 'node:timers/promises';
import { GivenUp, IdleDeadline } from './idle-deadline.ts';
import type { ManagedProcess } from './managed-process.ts';

/** First pause between two attempts. */
const POLL_MIN_MS = 20;
/** The pause between two attempts is this share of the time waited so far, within the two limits. */
const POLL_SHARE = 1 / 50;
const POLL_MAX_MS = 100;

/** Default deadline, far longer than any condition takes on an idle machine. */
const DEADLINE_MS = 30_000;

export interface WaitOptions {
  /** Longest idle time of the programs that this process started, in milliseconds. */
  timeoutMs?: number;
  /** Ends the wait at once when it ends. */
  process?: ManagedProcess;
}

/**
 * Waits until `attempt` returns something other than undefined, false or a rejection. The deadline measures progress:
 * it counts only the time in which the programs that this process started do not run and do not wait for a processor.
 * One more attempt follows its end; an attempt that does not end is given up then.
 * @param what the condition, for the error: "soju answers on its admin socket"
 * @throws Error after the deadline, or after five minutes even if the programs are busy
 */
export async function waitFor<T>(
  what: string,
  attempt: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = DEADLINE_MS, process }: WaitOptions = {},
): Promise<T> {
  const deadline = new IdleDeadline(timeoutMs);
  let ended = false;
  void process?.ended.then(() => {
    ended = true;
  });
  let last: unknown;
  for (;;) {
    // What a process did last may have made the condition true, and a program may have done its work while this process
    // was stopped: so one more attempt follows either end.
    const hasEnded = ended;
    const isOver = deadline.isOver();
    try {
      const value = await deadline.within(
        (async () => await attempt())(),
        () => 'an attempt to find out has not ended',
        { hurries: () => ended },
      );
      if (value !== undefined && value !== false) return value as T;
    } catch (error) {
      last = error;
    }
    const isGivenUp = last instanceof GivenUp;
    if (hasEnded || (isGivenUp && ended))
      throw new Error(`${process?.name} ended before this was true: ${what}\n${process?.output().slice(-2000)}`);
    if (isOver || isGivenUp) break;
    await delay(pauseAfter(deadline.read().passedMs));
  }
  const { passedMs, idleMs } = deadline.read();
  const reason = last instanceof Error ? ` (last: ${last.message})` : '';
  throw new Error(
    `after ${Math.round(passedMs)} ms, ${Math.round(idleMs)} of them idle, this is still not true: ${what}${reason}`,
  );
}

const pauseAfter = (waitedMs: number): number => Math.min(POLL_MAX_MS, Math.max(POLL_MIN_MS, POLL_SHARE * waitedMs));
