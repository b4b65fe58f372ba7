import { onOneLine } from '../kernel/errors.ts';
import type { MoveReport, Phase } from './store/move/move.ts';

/** A terminal's bar is drawn anew at most this often. */
const REDRAW_MS = 100;
/** Shortest interval between two lines about the progress where the output is not a terminal. */
const LINE_INTERVAL_MS = 60_000;
const BAR_CELLS = 24;
const DEFAULT_COLUMNS = 80;
/** Returns the cursor to the beginning of the line, and erases the line. */
const ERASE_LINE = '\r\u001b[K';

/** Standard output, or what stands for it. */
export interface ProgressOutput {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** Shows a move: a progress bar on a terminal, and one line a minute elsewhere. @param now milliseconds of a monotonic clock */
export function createMoveReport(output: ProgressOutput, now: () => number): MoveReport {
  const isTerminal = output.isTTY === true;
  const interval = isTerminal ? REDRAW_MS : LINE_INTERVAL_MS;
  let progress = { phase: 'read' as Phase, done: 0, total: 0, startedAt: now() };
  let shownAt = now();
  let isBarShown = false;
  const erase = (): void => {
    if (isBarShown) output.write(ERASE_LINE);
    isBarShown = false;
  };
  return {
    say: (line) => {
      erase();
      output.write(`${onOneLine(line)}\n`);
    },
    advance: ({ phase, table, rows, total }) => {
      if (total !== undefined) progress = { phase, done: 0, total, startedAt: now() };
      progress.done += rows;
      if (now() - shownAt < interval) return;
      shownAt = now();
      const words = wordsOf(progress, table, now());
      if (isTerminal) {
        // One column stays free: in the last one some terminals break the line.
        const line = `${barOf(progress)} ${words}`.slice(0, (output.columns ?? DEFAULT_COLUMNS) - 1);
        output.write(`${ERASE_LINE}${line}`);
        isBarShown = true;
      } else output.write(`${words}\n`);
    },
  };
}

interface Progress {
  phase: Phase;
  done: number;
  total: number;
  startedAt: number;
}

const shareOf = ({ done, total }: Progress): number => (total === 0 ? 1 : Math.min(done / total, 1));

function barOf(progress: Progress): string {
  const filled = Math.floor(shareOf(progress) * BAR_CELLS);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CELLS - filled)}]`;
}

function wordsOf(progress: Progress, table: string, at: number): string {
  const { phase, done, total, startedAt } = progress;
  const left = done === 0 ? 0 : ((at - startedAt) / done) * (total - done);
  const percent = Math.floor(shareOf(progress) * 100);
  return `${phase} ${percent} %: ${done} of ${total} rows, about ${Math.ceil(left / 1_000)} s left (${onOneLine(table)})`;
}
