import { onOneLine } from '../kernel/errors.ts';
import { ProgressLine, type ProgressOutput } from './progress-line.ts';
import type { LongWork } from './store/backup/report.ts';

/** Time after which progress is shown. */
const QUIET_MS = 2_000;
const REDRAW_MS = 200;

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
export function showWork(output: ProgressOutput, now: () => number): ShownWork {
  const line = new ProgressLine(output, REDRAW_MS);
  const beganAt = now();
  let step: { name: string; total: number; done: number } | undefined;
  let shownAt = beganAt;
  const show = (): void => {
    const at = now();
    if (step === undefined || at - beganAt < QUIET_MS || at - shownAt < line.intervalMs) return;
    shownAt = at;
    const share = step.total === 0 ? 1 : Math.min(step.done / step.total, 1);
    line.show(`${step.name} ${Math.floor(share * 100)} %, ${Math.floor((at - beganAt) / 1_000)} s so far`);
  };
  return {
    say: (words) => {
      line.erase();
      output.write(`${onOneLine(words)}\n`);
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
    end: () => line.erase(),
  };
}
