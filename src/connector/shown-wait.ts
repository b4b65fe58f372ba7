import { ProgressLine, type ProgressOutput } from './progress-line.ts';

/** Time after which a wait is shown. */
const QUIET_MS = 2_000;
const REDRAW_MS = 1_000;
const SECOND_MS = 1_000;

/**
 * Shows that work is still under way: on a terminal in one line from the third second on, elsewhere a line a minute. It
 * goes to standard error, so that the command's own output stays as it is.
 * @param words description of the present wait
 */
export async function showWait<T>(
  words: () => string,
  work: Promise<T>,
  output: ProgressOutput = process.stderr,
  quietMs = QUIET_MS,
): Promise<T> {
  const line = new ProgressLine(output, REDRAW_MS);
  const beganAt = performance.now();
  let timer = setTimeout(tick, line.isTerminal ? quietMs : line.intervalMs);
  function tick(): void {
    line.show(`${words()}: ${Math.floor((performance.now() - beganAt) / SECOND_MS)} s so far`);
    timer = setTimeout(tick, line.intervalMs);
  }
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    line.erase();
  }
}
