import { type CellLine, CLUSTER, CODE_MASK, CONTENT, CONTINUATION, WIDE, WORDS_PER_CELL } from './cell.ts';
import type { ScreenView } from './engine.ts';

const BLANK = 0x20;

/** The rows of a line of text, which may be broken into several; the last one is part of it. */
export interface LineRows {
  first: number;
  last: number;
}

/** The rows of the line of text that a row belongs to, not further away than `most` rows. */
export function rowsOfLine(view: ScreenView, row: number, most: number): LineRows {
  let [first, last] = [row, row];
  while (row - first < most && view.line(first - 1)?.isWrapped === true) first -= 1;
  while (last - row < most && view.line(last)?.isWrapped === true && view.line(last + 1) !== undefined) last += 1;
  return { first, last };
}

/** Text of a cell: a blank for one without text, nothing for the second half of a wide character. */
export function textOfCell(view: ScreenView, { words }: CellLine, column: number): string {
  const content = words[column * WORDS_PER_CELL + CONTENT] ?? 0;
  if ((content & CONTINUATION) !== 0) return '';
  const code = content & CODE_MASK;
  return (content & CLUSTER) !== 0 ? view.clusterText(code) : String.fromCodePoint(code || BLANK);
}

/** Cells of a row that belong to the text: a wide character that does not fit in the last one leaves it blank. */
export function cellsOfRow(view: ScreenView, row: number): number {
  const line = view.line(row);
  if (line === undefined) return 0;
  const cells = line.words.length / WORDS_PER_CELL;
  if (!line.isWrapped) return cells;
  const isLastBlank = line.words[(cells - 1) * WORDS_PER_CELL + CONTENT] === 0;
  const next = view.line(row + 1)?.words[CONTENT] ?? 0;
  return isLastBlank && (next & WIDE) !== 0 ? cells - 1 : cells;
}
