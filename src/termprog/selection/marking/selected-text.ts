import { type CellLine, CLUSTER, CODE_MASK, CONTINUATION, WORDS_PER_CELL } from '../../engine/cell.ts';
import type { ScreenView } from '../../engine/engine.ts';
import { contentAt, isSecondHalf, textCells, wrappedCells } from './text-cells.ts';
import { columnsIn, type TextRange } from './text-range.ts';

/** Characters that are turned into bytes at once. */
const BATCH_CHARACTERS = 1 << 16;

/**
 * The text of a range as UTF-8: rows of one wrapped line are joined, other rows end with a newline. Cells behind the last
 * text of a row that were never written to are left out, spaces that were written are not. Undefined for more than
 * `maxBytes` bytes.
 */
export function textOf(view: ScreenView, range: TextRange, maxBytes: number): Uint8Array | undefined {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let batch = '';
  const flush = (): boolean => {
    const piece = Buffer.from(batch, 'utf8');
    batch = '';
    bytes += piece.length;
    pieces.push(piece);
    return bytes <= maxBytes;
  };
  for (let row = range.start.row; row <= range.end.row; row += 1) {
    const line = view.line(row);
    if (line === undefined) continue;
    const next = view.line(row + 1);
    const isJoined = !range.isBlock && line.isWrapped && next !== undefined;
    const text = isJoined ? wrappedCells(line, next) : textCells(line);
    const columns = columnsIn(range, row, Math.max(view.columns, text));
    if (columns !== undefined)
      batch += cellsText(view, line, wholeCells(line, columns.first), Math.min(text, columns.last));
    const isLast = row === range.end.row;
    if (!isLast && !isJoined) batch += '\n';
    if (batch.length >= BATCH_CHARACTERS && !flush()) return undefined;
  }
  return flush() ? Buffer.concat(pieces) : undefined;
}

/** A wide character that begins before a block is in it whole. */
const wholeCells = (line: CellLine, first: number): number => (isSecondHalf(line, first) ? first - 1 : first);

function cellsText(view: ScreenView, line: CellLine, first: number, last: number): string {
  let text = '';
  const end = Math.min(last, line.words.length / WORDS_PER_CELL);
  for (let column = first; column < end; column += 1) {
    const content = contentAt(line, column);
    if ((content & CONTINUATION) !== 0) continue;
    if ((content & CLUSTER) !== 0) text += view.clusterText(content & CODE_MASK);
    else text += (content & CODE_MASK) === 0 ? ' ' : String.fromCodePoint(content & CODE_MASK);
  }
  return text;
}
