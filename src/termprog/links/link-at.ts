import { CONTENT, CONTINUATION, EXTRA, WORDS_PER_CELL } from '../engine/cell.ts';
import type { ScreenView } from '../engine/engine.ts';
import { cellsOfRow, rowsOfLine, textOfCell } from '../engine/line-text.ts';
import type { TextPlace } from '../engine/text-anchors.ts';
import { addressAt } from './visible-address.ts';

/** Cells on either side of the pointer that are searched: the longest address that is opened. */
const SEARCHED_CELLS = 2_083;

/** What the pointer can point at. */
export interface PointedLink {
  address: string;
  /** Tells links of one address apart: the name that the application gave, or where the address is written. */
  name: string;
}

/** The link of a cell: what the application says it is, else an address of the web that can be read there. */
export function linkAt(view: ScreenView, place: TextPlace): PointedLink | undefined {
  const line = view.line(place.row);
  const content = line?.words[place.column * WORDS_PER_CELL + CONTENT];
  if (line === undefined || content === undefined || place.column < 0) return undefined;
  const column = (content & CONTINUATION) === 0 ? place.column : place.column - 1;
  const extra = line.words[column * WORDS_PER_CELL + EXTRA] ?? 0;
  const link = extra === 0 ? undefined : view.extra(extra).link;
  if (link !== undefined) return { address: link.uri, name: link.id };
  return visibleLinkAt(view, { row: place.row, column });
}

function visibleLinkAt(view: ScreenView, { row, column }: TextPlace): PointedLink | undefined {
  const { first, last } = rowsOfLine(view, row, Math.ceil(SEARCHED_CELLS / view.columns));
  let text = '';
  let at = 0;
  for (let each = first; each <= last; each += 1) {
    const line = view.line(each);
    if (line === undefined) break;
    const cells = cellsOfRow(view, each);
    for (let cell = 0; cell < cells; cell += 1) {
      if (each === row && cell === column) at = text.length;
      text += textOfCell(view, line, cell);
    }
  }
  const span = addressAt(text, at);
  return span && { address: span.text, name: `${view.line(first)?.id}:${span.start}` };
}
