/** Longest silence of a server while an answer is awaited. */
export const SILENCE_MAX_MS = 10_000;

const STEP_MS = 1_000;
const STEPS_MAX = SILENCE_MAX_MS / STEP_MS;

/**
 * Calls `onSilent` once a server has been silent for ten seconds, and returns a function that ends the watch. Time in
 * which this process itself was stopped does not count: data that the server sent meanwhile is still in the socket.
 * @param heardBytes number of bytes received from the server so far
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
    // After a stop of this process the socket is read before the last step.
    else steps = wasStopped ? Math.min(steps + 1, STEPS_MAX - 1) : steps + 1;
    if (steps < STEPS_MAX) return;
    clearInterval(timer);
    onSilent();
  }, STEP_MS);
  return () => clearInterval(timer);
}
