import { cellsOfRow, textOfCell } from '../engine/cell-text.ts';
import type { Match } from './find-matches.ts';
import type { TextView } from './line-text.ts';

/**
 * Returns the present text of a match.
 * @param pushed number of rows by which its numbers exceed those of the screen
 */
export function matchText(view: TextView, { row, column, endRow, endColumn }: Match, pushed: number): string {
  let text = '';
  for (let number = row; number <= endRow; number += 1) {
    const line = view.line(number - pushed);
    if (line === undefined) continue;
    const end = number === endRow ? endColumn : cellsOfRow(view, number - pushed);
    for (let at = number === row ? column : 0; at < end; at += 1) text += textOfCell(view, line, at);
  }
  return text;
}
