import { setTimeout as delay } from 'node:timers/promises';
import { IdleClock } from './idle-clock.ts';
import type { ManagedProcess } from './managed-process.ts';

/** First pause between two attempts. */
const POLL_MIN_MS = 20;
/** The pause between two attempts is this share of the time waited so far, within the two limits. */
const POLL_SHARE = 1 / 50;
const POLL_MAX_MS = 100;

/** Shorter waits do not use the idle clock, whose looks at all processes cost milliseconds. */
const SHORT_WAIT_MS = 1_000;

/** Default deadline, far longer than any condition takes on an idle machine. */
const DEADLINE_MS = 30_000;

/** Longest wait, even if the programs are busy. */
const OUTER_LIMIT_MS = 300_000;

export interface WaitOptions {
  /** Longest idle time of the programs that this process started, in milliseconds. */
  timeoutMs?: number;
  /** Ends the wait at once when it ends. */
  process?: ManagedProcess;
}

/**
 * Waits until `attempt` returns something other than undefined, false or a rejection. The deadline measures progress:
 * it counts only the time in which the programs that this process started do not run and do not wait for a processor.
 * @param what the condition, for the error: "soju answers on its admin socket"
 * @throws Error at the deadline, or after five minutes even if the programs are busy
 */
export async function waitFor<T>(
  what: string,
  attempt: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = DEADLINE_MS, process }: WaitOptions = {},
): Promise<T> {
  const began = performance.now();
  let clock: IdleClock | undefined;
  let ended = false;
  void process?.ended.then(() => {
    ended = true;
  });
  let last: unknown;
  let waitedMs = 0;
  let idleMs = 0;
  while (idleMs < timeoutMs && waitedMs < Math.max(OUTER_LIMIT_MS, timeoutMs)) {
    // What it did last may have made the condition true: so one more attempt follows its end.
    const isLastAttempt = ended;
    try {
      const value = await attempt();
      if (value !== undefined && value !== false) return value as T;
    } catch (error) {
      last = error;
    }
    if (isLastAttempt)
      throw new Error(`${process?.name} ended before this was true: ${what}\n${process?.output().slice(-2000)}`);
    await delay(pauseAfter(waitedMs));
    waitedMs = performance.now() - began;
    if (waitedMs > SHORT_WAIT_MS) clock ??= new IdleClock();
    idleMs = clock === undefined ? waitedMs : SHORT_WAIT_MS + clock.read();
  }
  const reason = last instanceof Error ? ` (last: ${last.message})` : '';
  throw new Error(
    `after ${Math.round(waitedMs)} ms, ${Math.round(idleMs)} of them idle, this is still not true: ${what}${reason}`,
  );
}

const pauseAfter = (waitedMs: number): number => Math.min(POLL_MAX_MS, Math.max(POLL_MIN_MS, POLL_SHARE * waitedMs));
