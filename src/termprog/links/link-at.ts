import { CONTENT, CONTINUATION, EXTRA, WORDS_PER_CELL } from '../engine/cell.ts';
import { cellsOfRow, textOfCell } from '../engine/cell-text.ts';
import type { ScreenView } from '../engine/engine.ts';
import type { TextPlace } from '../engine/text-anchors.ts';
import { ADDRESS_MAX_CHARACTERS } from './link-address.ts';
import { addressAt } from './visible-address.ts';

/**
 * Cells on either side of the pointer that are searched. One more than an address may have shows that it is too long.
 */
const SEARCHED_CELLS = ADDRESS_MAX_CHARACTERS + 1;

/** Blanks end a visible address: a row with one contains all of an address that does not begin at its edge. */
const BLANK = /[\s\0]/;

/** A part of a row. */
export interface CellSpan {
  start: number;
  end: number;
}

/** A link under the pointer. */
export interface PointedLink {
  address: string;
  /** Distinguishes links with one address: the application's name for it, or the place where the address is written. */
  name: string;
}

/** A link with its place on the screen. */
export interface LinkOnScreen extends PointedLink {
  /** Returns its cells in a row of the present screen. */
  cellsIn(row: number): readonly CellSpan[];
}

/** Returns the link of a cell: the application's own, otherwise a web address in the text. */
export function linkAt(view: ScreenView, place: TextPlace): LinkOnScreen | undefined {
  const line = view.line(place.row);
  const content = line?.words[place.column * WORDS_PER_CELL + CONTENT];
  if (line === undefined || content === undefined || place.column < 0) return undefined;
  const column = (content & CONTINUATION) === 0 ? place.column : place.column - 1;
  const extra = line.words[column * WORDS_PER_CELL + EXTRA] ?? 0;
  const link = extra === 0 ? undefined : view.extra(extra).link;
  if (link === undefined) return visibleLinkAt(view, { row: place.row, column });
  const { uri: address, id: name } = link;
  return { address, name, cellsIn: (row) => cellsWithLink(view, row, { address, name }) };
}

function cellsWithLink(
  view: ScreenView,
  row: number,
  { address, name }: { address: string; name: string },
): CellSpan[] {
  const words = view.line(row)?.words ?? [];
  const spans: CellSpan[] = [];
  for (let column = 0; column * WORDS_PER_CELL < words.length; column += 1) {
    const extra = words[column * WORDS_PER_CELL + EXTRA] ?? 0;
    const link = extra === 0 ? undefined : view.extra(extra).link;
    if (link?.uri !== address || link.id !== name) continue;
    const last = spans.at(-1);
    if (last?.end === column) last.end = column + 1;
    else spans.push({ start: column, end: column + 1 });
  }
  return spans;
}

/** Text of rows of one line, with the places of its characters. */
interface ReadText {
  text: string;
  /** Index in the text of each row's first character. */
  starts: number[];
}

function visibleLinkAt(view: ScreenView, { row, column }: TextPlace): LinkOnScreen | undefined {
  const first = firstRowOf(view, row);
  const read = readRows(view, first, row);
  const start = read.starts[row - first] ?? 0;
  const at = start + textOfRow(view, row, column).length;
  const span = addressAt(read.text, at);
  if (span === undefined) return undefined;
  const cellsIn = (asked: number): CellSpan[] => {
    const from = read.starts[asked - first];
    return from === undefined ? [] : cellsOfText(view, asked, { start: span.start - from, end: span.end - from });
  };
  return { address: span.text, name: `${view.line(first)?.id}:${span.start}`, cellsIn };
}

/** Returns the cells of a part of a row's text. */
function cellsOfText(view: ScreenView, row: number, { start, end }: CellSpan): CellSpan[] {
  const line = view.line(row);
  const cells = line === undefined ? 0 : cellsOfRow(view, row);
  const inside: number[] = [];
  let place = 0;
  for (let cell = 0; line !== undefined && cell < cells; cell += 1) {
    const { length } = textOfCell(view, line, cell);
    if (place >= start && place + length <= end) inside.push(cell);
    place += length;
  }
  const [first, last] = [inside[0], inside.at(-1)];
  return first === undefined || last === undefined ? [] : [{ start: first, end: last + 1 }];
}

/** Returns the first row in which an address that reaches this row may begin. */
function firstRowOf(view: ScreenView, row: number): number {
  let first = row;
  const most = Math.ceil(SEARCHED_CELLS / view.columns);
  while (row - first < most && view.line(first - 1)?.isWrapped === true) {
    first -= 1;
    if (BLANK.test(textOfRow(view, first))) break;
  }
  return first;
}

/** Returns the text from one row on, as far as an address that reaches the other row may extend. */
function readRows(view: ScreenView, first: number, row: number): ReadText {
  const read: ReadText = { text: '', starts: [] };
  const last = row + Math.ceil(SEARCHED_CELLS / view.columns);
  for (let each = first; each <= last && view.line(each) !== undefined; each += 1) {
    const text = textOfRow(view, each);
    read.starts.push(read.text.length);
    read.text += text;
    if (view.line(each)?.isWrapped !== true || (each > row && BLANK.test(text))) break;
  }
  return read;
}

function textOfRow(view: ScreenView, row: number, end = Number.POSITIVE_INFINITY): string {
  const line = view.line(row);
  const cells = line === undefined ? 0 : Math.min(end, cellsOfRow(view, row));
  let text = '';
  for (let cell = 0; line !== undefined && cell < cells; cell += 1) text += textOfCell(view, line, cell);
  return text;
}
