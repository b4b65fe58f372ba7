import { onOneLine } from '../kernel/errors.ts';
import { ProgressLine, type ProgressOutput } from './progress-line.ts';
import type { MoveReport, Phase } from './store/move/move.ts';

/** Shortest interval between two drawings of a terminal's bar. */
const REDRAW_MS = 100;
const BAR_CELLS = 24;

/** Interval at which a terminal's time is redrawn while no row is done, for example while a whole file is checked. */
const REDRAW_UNCHANGED_MS = 1_000;

/** Shows a move while it is under way. */
export interface ShownMove extends MoveReport {
  /**
   * Redraws the progress. Call it at least once a second: a statement over a whole database may take minutes without a
   * row.
   */
  tick(): void;
  /** Erases the bar, so that the next line stands there. */
  end(): void;
}

/** Shows a move: a progress bar on a terminal, and one line a minute elsewhere. @param now milliseconds of a monotonic clock */
export function createMoveReport(output: ProgressOutput, now: () => number): ShownMove {
  const line = new ProgressLine(output, REDRAW_MS);
  const beganAt = now();
  let progress: (Progress & { table: string }) | undefined;
  let shownAt = beganAt;
  const show = (): void => {
    shownAt = now();
    const words = progress === undefined ? lookingFor(shownAt - beganAt) : wordsOf(progress, progress.table, shownAt);
    line.show(line.isTerminal && progress !== undefined ? `${barOf(progress)} ${words}` : words);
  };
  return {
    say: (words) => {
      line.erase();
      output.write(`${onOneLine(words)}\n`);
    },
    advance: ({ phase, table, rows, total }) => {
      if (total !== undefined || progress === undefined) {
        progress = { phase, table, done: 0, total: total ?? 0, startedAt: now() };
      }
      progress.table = table;
      progress.done += rows;
      if (now() - shownAt >= line.intervalMs) show();
    },
    tick: () => {
      if (now() - shownAt >= Math.max(REDRAW_UNCHANGED_MS, line.intervalMs)) show();
    },
    end: () => line.erase(),
  };
}

const lookingFor = (milliseconds: number): string =>
  `looking at both databases: ${Math.floor(milliseconds / 1_000)} s so far`;

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
  const percent = Math.floor(shareOf(progress) * 100);
  const left = done === 0 ? undefined : ((at - startedAt) / done) * (total - done);
  const words = `${phase} ${percent} %: ${done} of ${total} rows`;
  if (left === undefined) return words;
  return `${words}, about ${Math.ceil(left / 1_000)} s left${table === '' ? '' : ` (${onOneLine(table)})`}`;
}
