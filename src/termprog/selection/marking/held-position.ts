import { cellsOfRow } from '../../engine/cell-text.ts';
import type { ScreenView } from '../../engine/engine.ts';
import { textCells } from '../../engine/row-cells.ts';
import type { TextAnchor } from '../../engine/text-anchor.ts';
import { anchorAt, placeOf } from '../../engine/text-anchors.ts';
import type { TextPosition } from './text-range.ts';

/** A place between cells that moves with its text. */
export interface HeldPosition {
  readonly anchor: TextAnchor;
  /**
   * Whether the place is after the end of a line, at the beginning of the next; the anchor is then after the line's
   * last cell.
   */
  readonly isBehindLine: boolean;
}

/** Anchors a place; one outside history and screen is moved inside. */
export function hold(view: ScreenView, { row, column }: TextPosition): HeldPosition | undefined {
  if (row >= view.rows) return holdEndOf(view, view.rows - 1);
  const anchor =
    row < -view.historyLines ? anchorAt(view, { row: -view.historyLines, column: 0 }) : anchorAt(view, { row, column });
  return anchor && { anchor, isBehindLine: false };
}

/**
 * Anchors the end of a text. At the beginning of a row it is anchored to the row above, which has text: blank rows at
 * the bottom disappear when the screen becomes lower.
 */
export function holdEnd(view: ScreenView, position: TextPosition): HeldPosition | undefined {
  const above = view.line(position.row - 1);
  const isBehindLine = position.column === 0 && above !== undefined && !above.isWrapped;
  return isBehindLine ? holdEndOf(view, position.row - 1) : hold(view, position);
}

function holdEndOf(view: ScreenView, row: number): HeldPosition | undefined {
  const anchor = anchorAt(view, { row, column: cellsOfRow(view, row) });
  return anchor && { anchor, isBehindLine: true };
}

/** Returns the present place; undefined when its line is gone. */
export function positionOf(view: ScreenView, { anchor, isBehindLine }: HeldPosition): TextPosition | undefined {
  const place = placeOf(view, anchor);
  const line = place && view.line(place.row);
  if (!isBehindLine || place === undefined || line === undefined) return place;
  // The line may have been continued since.
  return line.isWrapped || place.column < textCells(line) ? place : { row: place.row + 1, column: 0 };
}
