import { onOneLine } from '../kernel/errors.ts';
import type { LongWork } from './store/backup/report.ts';

/** Time after which progress is shown. */
const QUIET_MS = 2_000;
/** Shortest interval between two drawings of a terminal's line. */
const REDRAW_MS = 200;
/** Interval between two lines if the output is not a terminal. */
const LINE_INTERVAL_MS = 60_000;
const DEFAULT_COLUMNS = 80;
/** Returns the cursor to the beginning of the line, and erases the line. */
const ERASE_LINE = '\r\u001b[K';

interface Output {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Shows the progress of work while it is under way. */
export interface ShownWork extends LongWork {
  /** Redraws the progress. Call it at least once a second: a step may take minutes without an advance. */
  tick(): void;
  /** Erases the progress, so that the next line stands there. */
  end(): void;
}

/**
 * Shows the progress of each step: on a terminal in one line, elsewhere a line a minute.
 * @param now milliseconds of a monotonic clock
 */
export function showWork(output: Output, now: () => number): ShownWork {
  const isTerminal = output.isTTY === true;
  const beganAt = now();
  let step: { name: string; total: number; done: number } | undefined;
  let shownAt = beganAt;
  let isShown = false;
  const erase = (): void => {
    if (isShown) output.write(ERASE_LINE);
    isShown = false;
  };
  const show = (): void => {
    const at = now();
    if (step === undefined || at - beganAt < QUIET_MS) return;
    if (at - shownAt < (isTerminal ? REDRAW_MS : LINE_INTERVAL_MS)) return;
    shownAt = at;
    const share = step.total === 0 ? 1 : Math.min(step.done / step.total, 1);
    const words = `${step.name} ${Math.floor(share * 100)} %, ${Math.floor((at - beganAt) / 1_000)} s so far`;
    // One column stays free: in the last one some terminals break the line.
    output.write(isTerminal ? `${ERASE_LINE}${words.slice(0, (output.columns ?? DEFAULT_COLUMNS) - 1)}` : `${words}\n`);
    isShown = isTerminal;
  };
  return {
    say: (line) => {
      erase();
      output.write(`${onOneLine(line)}\n`);
    },
    begin: (name, total) => {
      step = { name, total, done: 0 };
      show();
    },
    advance: (done) => {
      if (step !== undefined) step.done += done;
      show();
    },
    tick: show,
    end: erase,
  };
}
