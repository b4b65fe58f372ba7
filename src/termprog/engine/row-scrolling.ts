import type { DamageTracker } from './damage-tracker.ts';
import type { Grid } from './grid.ts';
import type { Pen } from './pen.ts';

/** Rows from the first to the last, including both. */
interface RowRange {
  top: number;
  bottom: number;
}

/** The parts of a screen that scrolling changes and reads. */
interface ScrolledScreen {
  readonly grid: Grid;
  readonly damage: DamageTracker;
  readonly pen: Pen;
  readonly margins: { left: number; right: number };
  readonly hasSideMargins: boolean;
}

/**
 * Scrolls rows between the side margins, up if `lines` is positive; the rows that become free are blank.
 * @param keepsHistory whether rows that leave at the top become history; side margins prevent that
 */
export function scrollRows(screen: ScrolledScreen, range: RowRange, lines: number, keepsHistory: boolean): void {
  const { background } = screen.pen;
  const { top, bottom } = range;
  const count = Math.min(Math.abs(lines), bottom - top + 1);
  if (count === 0) return;
  if (screen.hasSideMargins) {
    scrollColumns(screen, range, lines > 0 ? count : -count);
    return;
  }
  if (lines > 0) screen.grid.scrollUp(range, count, { keepsHistory, background });
  else screen.grid.scrollDown(range, count, background);
  screen.damage.scroll(top, bottom, lines > 0 ? count : -count);
}

/** Scrolls only the columns between the side margins. */
function scrollColumns(screen: ScrolledScreen, { top, bottom }: RowRange, lines: number): void {
  const { grid, damage, pen, margins } = screen;
  const { left, right } = margins;
  const step = lines > 0 ? 1 : -1;
  const [first, last] = lines > 0 ? [top, bottom] : [bottom, top];
  for (let row = first; row !== last + step; row += step) {
    const line = grid.row(row);
    line.splitWide(left);
    line.splitWide(right + 1);
    const source = row + lines;
    if (source < top || source > bottom) line.erase(left, right + 1, pen.background);
    else {
      const from = grid.row(source);
      from.splitWide(left);
      from.splitWide(right + 1);
      line.copyCells(from, left, right + 1);
    }
  }
  damage.markRows(top, bottom);
}
