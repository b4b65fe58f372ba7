import { setTimeout as delay } from 'node:timers/promises';
import type { ManagedProcess } from './managed-process.ts';

/** How often a condition is tried. */
const POLL_MS = 20;

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
  const deadline = performance.now() + timeoutMs;
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
    await delay(POLL_MS);
  }
  const reason = last instanceof Error ? ` (last: ${last.message})` : '';
  throw new Error(`after ${timeoutMs} ms this is still not true: ${what}${reason}`);
}
