import { setTimeout as delay } from 'node:timers/promises';
import type { ManagedProcess } from './managed-process.ts';

/** A condition is tried this often at first. */
const POLL_MIN_MS = 20;
/** What takes long is tried after each fiftieth of the time it has taken, but not less often than this. */
const POLL_SHARE = 1 / 50;
const POLL_MAX_MS = 100;

/** Far more than any condition takes on an idle machine. */
const DEADLINE_MS = 30_000;

/**
 * Waits until `attempt` returns something other than undefined, false or a rejection.
 * @param what the condition, for the error: "soju answers on its admin socket"
 * @param process ends the wait at once when it ends
 */
export async function waitFor<T>(
  what: string,
  attempt: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = DEADLINE_MS, process }: { timeoutMs?: number; process?: ManagedProcess } = {},
): Promise<T> {
  const began = performance.now();
  const deadline = began + timeoutMs;
  let ended = false;
  void process?.ended.then(() => {
    ended = true;
  });
  let last: unknown;
  while (performance.now() < deadline) {
    if (ended)
      throw new Error(`${process?.name} ended before this was true: ${what}\n${process?.output().slice(-2000)}`);
    try {
      const value = await attempt();
      if (value !== undefined && value !== false) return value as T;
    } catch (error) {
      last = error;
    }
    await delay(pauseAfter(performance.now() - began));
  }
  const reason = last instanceof Error ? ` (last: ${last.message})` : '';
  throw new Error(`after ${timeoutMs} ms this is still not true: ${what}${reason}`);
}

const pauseAfter = (waitedMs: number): number => Math.min(POLL_MAX_MS, Math.max(POLL_MIN_MS, POLL_SHARE * waitedMs));
