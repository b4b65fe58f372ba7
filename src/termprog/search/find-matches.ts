import { CONTENT, WIDE, WORDS_PER_CELL } from '../engine/cell.ts';
import type { LineText, TextView } from './line-text.ts';
import type { Pattern } from './pattern.ts';

/** A found text. Rows are in the caller's numbering. */
export interface Match {
  row: number;
  column: number;
  endRow: number;
  /** The column after the last cell. */
  endColumn: number;
}

/** Most cells of one line of text that are searched at once: the longest possible line must not hold up keys. */
const RUN_CELLS_MAX = 8_192;

/** Most rows that are searched at once. */
const runRowsMax = ({ columns }: Pick<TextView, 'columns'>): number => Math.max(1, Math.floor(RUN_CELLS_MAX / columns));

/** Returns the first row of the line of text that ends with `last`, or of the end of a very long line. */
export function firstOfRun(view: TextView, last: number): number {
  const most = runRowsMax(view) - 1;
  let first = last;
  while (last - first < most && view.line(first - 1)?.isWrapped === true) first -= 1;
  return first;
}

/** Returns the last row of the line of text that begins with `first`, or of the beginning of a very long line. */
export function lastOfRun(view: TextView, first: number): number {
  const most = runRowsMax(view) - 1;
  let last = first;
  while (last - first < most && view.line(last)?.isWrapped === true && last + 1 < view.rows) last += 1;
  return last;
}

/**
 * Returns the matches that begin in the rows of one line of text, in order; they do not overlap, and consist of whole
 * cells.
 */
export function findMatches(
  view: TextView,
  { first, last }: { first: number; last: number },
  pattern: Pattern,
  text: LineText,
): Match[] {
  text.read(view, first, last, pattern);
  const { codes, length } = text;
  const { codes: wanted, borders } = pattern;
  const found: Match[] = [];
  for (let at = 0, matched = 0; at < length; at += 1) {
    while (matched > 0 && codes[at] !== wanted[matched]) matched = borders[matched - 1] as number;
    if (codes[at] === wanted[matched]) matched += 1;
    if (matched < wanted.length) continue;
    const start = at + 1 - matched;
    if (text.isBoundary(start) && text.isBoundary(at + 1)) {
      if (first + text.rowAt(start) > last) break;
      found.push(matchAt(view, first, text, start, at));
      matched = 0;
    } else matched = borders[matched - 1] as number;
  }
  return found;
}

function matchAt(view: TextView, first: number, text: LineText, start: number, end: number): Match {
  const endRow = first + text.rowAt(end);
  const column = text.columnAt(end);
  const content = view.line(endRow)?.words[column * WORDS_PER_CELL + CONTENT] ?? 0;
  return {
    row: first + text.rowAt(start),
    column: text.columnAt(start),
    endRow,
    endColumn: column + ((content & WIDE) === 0 ? 1 : 2),
  };
}
