import { type CellLine, CLUSTER, CODE_MASK, CONTENT, CONTINUATION, WIDE, WORDS_PER_CELL } from './cell.ts';
import type { ScreenView } from './engine.ts';

const SPACE = 0x20;

/** The content word of a cell; 0 behind the end of the line, as for a cell that was never written to. */
export function contentAt(line: CellLine, column: number): number {
  return line.words[column * WORDS_PER_CELL + CONTENT] ?? 0;
}

/** Whether a cell is the second one of a wide character. */
export const isSecondHalf = (line: CellLine, column: number): boolean => (contentAt(line, column) & CONTINUATION) !== 0;

/** Text of a cell: a space for one without text, nothing for the second half of a wide character. */
export function textOfCell(view: Pick<ScreenView, 'clusterText'>, line: CellLine, column: number): string {
  const content = contentAt(line, column);
  if ((content & CONTINUATION) !== 0) return '';
  const code = content & CODE_MASK;
  return (content & CLUSTER) !== 0 ? view.clusterText(code) : String.fromCodePoint(code || SPACE);
}

/** Cells up to the last one with text. */
export function textCells({ words }: CellLine): number {
  let at = words.length - WORDS_PER_CELL;
  while (at >= 0 && words[at + CONTENT] === 0) at -= WORDS_PER_CELL;
  return at / WORDS_PER_CELL + 1;
}

/**
 * Cells of a row whose line goes on in the next one: a wide character that did not fit leaves a blank at the end that is
 * no part of the text.
 */
export function wrappedCells(line: CellLine, next: CellLine | undefined): number {
  const cells = line.words.length / WORDS_PER_CELL;
  const leavesBlank = contentAt(line, cells - 1) === 0 && next !== undefined && (contentAt(next, 0) & WIDE) !== 0;
  return leavesBlank ? cells - 1 : cells;
}

/** Cells of a row that belong to its line of text; 0 where there is no row. */
export function cellsOfRow(view: Pick<ScreenView, 'line'>, row: number): number {
  const line = view.line(row);
  if (line === undefined) return 0;
  return line.isWrapped ? wrappedCells(line, view.line(row + 1)) : line.words.length / WORDS_PER_CELL;
}
