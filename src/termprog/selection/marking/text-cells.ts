import { type CellLine, CLUSTER, CODE_MASK, CONTENT, CONTINUATION, WIDE, WORDS_PER_CELL } from '../../engine/cell.ts';
import type { ScreenView } from '../../engine/engine.ts';

const SPACE = 0x20;

/** The content word of a cell; 0 behind the end of the line, as for a cell that was never written to. */
export function contentAt(line: CellLine, column: number): number {
  return line.words[column * WORDS_PER_CELL + CONTENT] ?? 0;
}

/** Cells up to the last one with text. */
export function textCells({ words }: CellLine): number {
  let at = words.length - WORDS_PER_CELL;
  while (at >= 0 && words[at + CONTENT] === 0) at -= WORDS_PER_CELL;
  return at / WORDS_PER_CELL + 1;
}

/** Whether a cell is the second one of a wide character. */
export const isSecondHalf = (line: CellLine, column: number): boolean => (contentAt(line, column) & CONTINUATION) !== 0;

/** The first code point of a cell's text; a space for a cell without any. */
export function codePointAt(view: ScreenView, line: CellLine, column: number): number {
  const own = contentAt(line, column);
  const content = (own & CONTINUATION) === 0 ? own : contentAt(line, column - 1);
  if ((content & CLUSTER) !== 0) return view.clusterText(content & CODE_MASK).codePointAt(0) ?? SPACE;
  return content & CODE_MASK || SPACE;
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
