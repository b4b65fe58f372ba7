import { sleep } from './sleep.ts';

const POLL_MS = 50;

/** Resolves to true when the condition holds, or to false when it does not within `deadlineMs`. */
export async function until(isTrue: () => boolean, deadlineMs: number, pollMs = POLL_MS): Promise<boolean> {
  const deadline = performance.now() + deadlineMs;
  while (!isTrue()) {
    if (performance.now() >= deadline) return false;
    await sleep(pollMs);
  }
  return true;
}
