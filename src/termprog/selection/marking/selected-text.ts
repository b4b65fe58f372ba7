import { type CellLine, CLUSTER, CODE_MASK, CONTINUATION, WORDS_PER_CELL } from '../../engine/cell.ts';
import { isSecondHalf } from '../../engine/cell-text.ts';
import type { ScreenView } from '../../engine/engine.ts';
import { textCells, wrappedCells } from '../../engine/row-cells.ts';
import { columnsIn, type TextRange } from './text-range.ts';
import { Utf8Writer } from './utf8-writer.ts';

const SPACE = 0x20;
const NEWLINE = 0x0a;

const NO_COLUMNS = { first: 0, last: 0 };

/**
 * Returns the text of a range as UTF-8: rows of one wrapped line are joined, other rows end with a newline. Cells after
 * a row's last text that were never written are dropped, written spaces are kept. Undefined for more than `maxBytes`
 * bytes.
 */
export function textOf(view: ScreenView, range: TextRange, maxBytes: number): Uint8Array | undefined {
  const writer = new Utf8Writer();
  const { start, end, isBlock } = range;
  let next = view.line(start.row);
  for (let row = start.row; row <= end.row; row += 1) {
    const line = next;
    next = view.line(row + 1);
    if (line === undefined) continue;
    const isJoined = !isBlock && line.isWrapped && next !== undefined;
    const text = isJoined ? wrappedCells(line, next) : textCells(line);
    const { first, last } = columnsIn(range, row, Math.max(view.columns, text)) ?? NO_COLUMNS;
    writeCells(view, line, { first, last: Math.min(text, last) }, writer);
    if (row < end.row && !isJoined) writer.write(NEWLINE);
    if (writer.length > maxBytes) return undefined;
  }
  return writer.bytes;
}

function writeCells(
  view: ScreenView,
  line: CellLine,
  { first, last }: { first: number; last: number },
  writer: Utf8Writer,
): void {
  const { words } = line;
  const end = Math.min(last * WORDS_PER_CELL, words.length);
  // A wide character that begins before a block is included whole.
  const begin = first < last && isSecondHalf(line, first) ? first - 1 : first;
  for (let at = begin * WORDS_PER_CELL; at < end; at += WORDS_PER_CELL) {
    const content = words[at] as number;
    if ((content & CONTINUATION) !== 0) continue;
    if ((content & CLUSTER) !== 0) writer.writeText(view.clusterText(content & CODE_MASK));
    else writer.write(content & CODE_MASK || SPACE);
  }
}
