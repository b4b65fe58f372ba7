import { setTimeout as delay } from 'node:timers/promises';

/** Waits without keeping the program alive; false if the signal ends the wait, or had aborted before. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal, ref: false });
    return true;
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  }
}
