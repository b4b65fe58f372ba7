import { cellsOfRow } from './cell-text.ts';
import type { ScreenView } from './engine.ts';
import { wrappedCells } from './row-cells.ts';
import type { TextAnchor } from './text-anchor.ts';

/**
 * The most rows that are searched for the beginning of a line of text. In a longer line an anchor counts from a row in
 * its middle: it stays when lines scroll, but not when they are broken again.
 */
const LINE_ROWS_MAX = 4_096;

/** A cell of the screen; negative rows are history. */
export interface TextPlace {
  row: number;
  column: number;
}

type Lines = Pick<ScreenView, 'line'>;

/**
 * Returns the anchor of a place; undefined outside of history and screen.
 * @param most the most rows that are searched
 */
export function anchorAt(view: Lines, { row, column }: TextPlace, most = LINE_ROWS_MAX): TextAnchor | undefined {
  if (view.line(row) === undefined) return undefined;
  let first = row;
  while (row - first < most && view.line(first - 1)?.isWrapped === true) first -= 1;
  let offset = column;
  for (let at = first; at < row; at += 1) offset += cellsOfRow(view, at);
  const lineId = view.line(first)?.id;
  return lineId === undefined ? undefined : { lineId, offset };
}

/** Returns the present place of an anchor; undefined if its line has left the history. */
export function placeOf(
  view: Lines & Pick<ScreenView, 'rowOf'>,
  { lineId, offset }: TextAnchor,
): TextPlace | undefined {
  const row = view.rowOf(lineId);
  return row === undefined ? undefined : inItsRow(view, { row, column: offset });
}

/** Returns the place of a cell that is counted from the beginning of a row, in the row that contains it. */
export function inItsRow(view: Lines, { row, column }: TextPlace): TextPlace {
  let place = { row, column };
  let line = view.line(row);
  while (line?.isWrapped === true) {
    const next = view.line(place.row + 1);
    const cells = wrappedCells(line, next);
    if (place.column < cells) break;
    place = { row: place.row + 1, column: place.column - cells };
    line = next;
  }
  return place;
}
