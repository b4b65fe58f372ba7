import { type CellLine, CONTENT, WIDE, WORDS_PER_CELL } from './cell.ts';

/** Returns the content word of a cell; 0 after the end of the line, as for a cell that was never written to. */
export function contentAt(line: CellLine, column: number): number {
  return line.words[column * WORDS_PER_CELL + CONTENT] ?? 0;
}

/** Returns the number of cells up to the last one with text. */
export function textCells({ words }: CellLine): number {
  let at = words.length - WORDS_PER_CELL;
  while (at >= 0 && words[at + CONTENT] === 0) at -= WORDS_PER_CELL;
  return at / WORDS_PER_CELL + 1;
}

/** Returns whether there is text in the last cell. */
export const fillsRow = ({ words }: CellLine): boolean => (words[words.length - WORDS_PER_CELL + CONTENT] ?? 0) !== 0;

/**
 * Returns the number of a row's text cells if its line goes on in the next row: a wide character that did not fit
 * leaves a blank at the end that is no part of the text.
 */
export function wrappedCells(line: CellLine, next: CellLine | undefined): number {
  const columns = line.words.length / WORDS_PER_CELL;
  // Text may have been written after them since.
  const cells = line.wrapCells ? Math.min(columns, Math.max(line.wrapCells, textCells(line))) : columns;
  const leavesBlank = contentAt(line, cells - 1) === 0 && next !== undefined && (contentAt(next, 0) & WIDE) !== 0;
  return leavesBlank ? cells - 1 : cells;
}
