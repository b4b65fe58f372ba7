import { type CellLine, CLUSTER, CODE_MASK, CONTINUATION, WORDS_PER_CELL } from './cell.ts';
import type { ScreenView } from './engine.ts';
import { contentAt, wrappedCells } from './row-cells.ts';

const SPACE = 0x20;

/** Returns whether a cell is the second one of a wide character. */
export const isSecondHalf = (line: CellLine, column: number): boolean => (contentAt(line, column) & CONTINUATION) !== 0;

/**
 * Returns the text of a cell: a space for one without text, and an empty text for the second half of a wide character.
 */
export function textOfCell(view: Pick<ScreenView, 'clusterText'>, line: CellLine, column: number): string {
  const content = contentAt(line, column);
  if ((content & CONTINUATION) !== 0) return '';
  const code = content & CODE_MASK;
  return (content & CLUSTER) !== 0 ? view.clusterText(code) : String.fromCodePoint(code || SPACE);
}

/** Returns the number of a row's cells that belong to its line of text; 0 if there is no such row. */
export function cellsOfRow(view: Pick<ScreenView, 'line'>, row: number): number {
  const line = view.line(row);
  if (line === undefined) return 0;
  return line.isWrapped ? wrappedCells(line, view.line(row + 1)) : line.words.length / WORDS_PER_CELL;
}
