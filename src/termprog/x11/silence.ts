/** How long a server may say nothing while somebody waits for its answer. */
export const SILENCE_MAX_MS = 10_000;

const STEP_MS = 1_000;
const STEPS_MAX = SILENCE_MAX_MS / STEP_MS;

/**
 * Calls `onSilent` once a server has said nothing for ten seconds, and returns a function that ends the watch. Time in which this
 * program itself was stopped does not count: what the server said meanwhile still lies in the socket.
 * @param heardBytes how many bytes have come from the server
 */
export function watchSilence(heardBytes: () => number, onSilent: () => void): () => void {
  let heard = heardBytes();
  let steps = 0;
  let stepMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const wasStopped = nowMs - stepMs >= 2 * STEP_MS;
    stepMs = nowMs;
    const isSilent = heardBytes() === heard;
    heard = heardBytes();
    if (!isSilent) steps = 0;
    // After a stop of this program the socket is read before the last step.
    else steps = wasStopped ? Math.min(steps + 1, STEPS_MAX - 1) : steps + 1;
    if (steps < STEPS_MAX) return;
    clearInterval(timer);
    onSilent();
  }, STEP_MS);
  return () => clearInterval(timer);
}
