/** Time after which a wait is shown. */
const QUIET_MS = 2_000;
/** Interval between two drawings of a terminal's line. */
const REDRAW_MS = 1_000;
/** Interval between two lines if the output is not a terminal. */
const LINE_INTERVAL_MS = 60_000;
const SECOND_MS = 1_000;
const DEFAULT_COLUMNS = 80;
/** Returns the cursor to the beginning of the line, and erases the line. */
const ERASE_LINE = '\r\u001b[K';

interface Output {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/**
 * Shows that work is still under way: on a terminal in one line from the third second on, elsewhere a line a minute. It
 * goes to standard error, so that the command's own output stays as it is.
 * @param words description of the present wait
 */
export async function showWait<T>(
  words: () => string,
  work: Promise<T>,
  output: Output = process.stderr,
  quietMs = QUIET_MS,
): Promise<T> {
  const isTerminal = output.isTTY === true;
  const beganAt = performance.now();
  let isShown = false;
  const show = (): void => {
    const seconds = Math.floor((performance.now() - beganAt) / SECOND_MS);
    const line = `${words()}: ${seconds} s so far`;
    // One column stays free: in the last one some terminals break the line.
    output.write(isTerminal ? `${ERASE_LINE}${line.slice(0, (output.columns ?? DEFAULT_COLUMNS) - 1)}` : `${line}\n`);
    isShown = isTerminal;
  };
  let timer = setTimeout(tick, isTerminal ? quietMs : LINE_INTERVAL_MS);
  function tick(): void {
    show();
    timer = setTimeout(tick, isTerminal ? REDRAW_MS : LINE_INTERVAL_MS);
  }
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (isShown) output.write(ERASE_LINE);
  }
}
