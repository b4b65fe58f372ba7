import type { ScreenView } from '../engine/engine.ts';
import type { ShellMark } from '../engine/shell-mark.ts';
import { inItsRow } from '../engine/text-anchors.ts';

type Rows = Pick<ScreenView, 'line' | 'rows' | 'historyLines'>;

/** Most rows of one line of text that are searched for its beginning. */
const ROWS_MAX = 512;

/** Returns the row of the count-th prompt above a row, or of the farthest one; undefined without one. */
export function promptAbove(view: Rows, marks: readonly ShellMark[], row: number, count: number): number | undefined {
  const offsets = promptOffsets(marks);
  let last: number | undefined;
  let left = count;
  for (let first = row - 1; first >= -view.historyLines && left > 0; first -= 1) {
    const found = offsets.get(view.line(first)?.id ?? 0);
    if (found === undefined) continue;
    const rows = rowsOf(view, first, found).filter((prompt) => prompt < row);
    if (rows.length === 0) continue;
    last = rows.at(-Math.min(left, rows.length));
    left -= rows.length;
  }
  return last;
}

/** Returns the row of the count-th prompt below a row, or of the farthest one; undefined without one. */
export function promptBelow(view: Rows, marks: readonly ShellMark[], row: number, count: number): number | undefined {
  const offsets = promptOffsets(marks);
  let start = row + 1;
  // The prompt may be further down in a line of text that begins here or above.
  while (row - start < ROWS_MAX && view.line(start - 1)?.isWrapped === true) start -= 1;
  let last: number | undefined;
  let left = count;
  for (let first = start; first < view.rows && left > 0; first += 1) {
    const found = offsets.get(view.line(first)?.id ?? 0);
    if (found === undefined) continue;
    const rows = rowsOf(view, first, found).filter((prompt) => prompt > row);
    if (rows.length === 0) continue;
    last = rows.at(Math.min(left, rows.length) - 1);
    left -= rows.length;
  }
  return last;
}

/** Line id → offsets of the prompts in it. */
function promptOffsets(marks: readonly ShellMark[]): ReadonlyMap<number, readonly number[]> {
  const prompts = marks.filter(({ kind }) => kind === 'prompt');
  const byLine = Map.groupBy(prompts, ({ lineId }) => lineId);
  return new Map([...byLine].map(([lineId, found]) => [lineId, found.map(({ offset }) => offset)]));
}

/**
 * Returns the rows of prompts in the line of text that begins with a row, each once. A shell that redraws its prompt
 * marks it again.
 */
function rowsOf(view: Rows, first: number, offsets: readonly number[]): number[] {
  const rows = new Set<number>();
  let place = { row: first, column: 0 };
  let before = 0;
  // Sorted, so that a line with many marks is traversed once.
  for (const offset of offsets.toSorted((one, other) => one - other)) {
    place = inItsRow(view, { row: place.row, column: place.column + offset - before });
    before = offset;
    rows.add(place.row);
  }
  return [...rows];
}
