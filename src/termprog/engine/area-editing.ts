import {
  BLINK,
  BOLD,
  CONTINUATION,
  EXTRA,
  GUARDED,
  INVERSE,
  INVISIBLE,
  PROTECTED,
  UNDERLINE,
  UNDERLINE_MASK,
  UNDERLINE_SHIFT,
  WIDE,
  WORDS_PER_CELL,
} from './cell.ts';
import { addressableArea, type CellArea } from './cell-area.ts';
import type { Line } from './line.ts';
import type { Screen } from './screen.ts';

/** Functions that copy, fill and change rectangular areas of the screen. */

const SPACE = 0x20;

/**
 * Copies an area so that it begins at another place. The copy is cut at the limits of what applications can address.
 */
export function copyCellsIn(screen: Screen, source: CellArea, to: { row: number; column: number }): void {
  const limits = addressableArea(screen);
  const rows = Math.min(source.bottom - source.top, limits.bottom - to.row) + 1;
  const columns = Math.min(source.right - source.left, limits.right - to.column) + 1;
  if (rows <= 0 || columns <= 0) return;
  const cells = new Uint32Array(columns * WORDS_PER_CELL);
  // The order of rows is chosen so that no row is overwritten before it was copied.
  for (let step = 0; step < rows; step += 1) {
    const at = to.row > source.top ? rows - 1 - step : step;
    const from = screen.grid.row(source.top + at);
    const start = source.left * WORDS_PER_CELL;
    cells.set(from.words.subarray(start, start + cells.length));
    cutHalves(cells);
    const line = screen.grid.row(to.row + at);
    line.splitWide(to.column);
    line.splitWide(to.column + columns);
    line.words.set(cells, to.column * WORDS_PER_CELL);
    line.hasNumbers ||= from.hasNumbers;
    line.isPlain &&= from.isPlain;
    if (to.column + columns === screen.columns) line.isWrapped = false;
  }
  screen.damage.markRows(to.row, to.row + rows - 1);
}

/** Blanks the halves of wide characters at either end of copied cells. */
function cutHalves(cells: Uint32Array): void {
  const last = cells.length - WORDS_PER_CELL;
  if (((cells[0] ?? 0) & CONTINUATION) !== 0) cells[0] = 0;
  if (((cells[last] ?? 0) & WIDE) !== 0) cells[last] = 0;
}

/** Blanks cells, protected ones too. */
export function eraseCellsIn(screen: Screen, { top, left, bottom, right }: CellArea): void {
  for (let row = top; row <= bottom; row += 1) {
    const line = screen.grid.row(row);
    line.splitWide(left);
    line.splitWide(right + 1);
    line.erase(left, right + 1, screen.pen.background);
    if (right === screen.columns - 1) line.isWrapped = false;
  }
  screen.damage.markRows(top, bottom);
}

/** Turns the cells of an area into spaces, except for those that DECSCA protects. Their colours and attributes stay. */
export function wipeArea(screen: Screen, { top, left, bottom, right }: CellArea): void {
  for (let row = top; row <= bottom; row += 1) {
    const line = screen.grid.row(row);
    line.splitWide(left);
    line.splitWide(right + 1);
    const { words } = line;
    for (let at = left * WORDS_PER_CELL; at <= right * WORDS_PER_CELL; at += WORDS_PER_CELL) {
      const content = words[at] ?? 0;
      if ((content & PROTECTED) !== 0) continue;
      words[at] = content === 0 ? 0 : SPACE | (content & GUARDED);
      words[at + EXTRA] = 0;
    }
    if (right === screen.columns - 1) line.isWrapped = false;
  }
  screen.damage.markRows(top, bottom);
}

/** Writes one character, which takes one cell, into each cell with the present rendition. */
export function fillCellsIn(screen: Screen, { top, left, bottom, right }: CellArea, code: number): void {
  const { foreground, background, extra, protection } = screen.pen;
  for (let row = top; row <= bottom; row += 1) {
    const line = screen.grid.row(row);
    line.splitWide(left);
    line.splitWide(right + 1);
    if (extra !== 0) line.hasNumbers = true;
    if ((foreground | background | extra) !== 0) line.isPlain = false;
    for (let at = left * WORDS_PER_CELL; at <= right * WORDS_PER_CELL; at += WORDS_PER_CELL) {
      line.words[at] = code | protection;
      line.words[at + 1] = foreground;
      line.words[at + 2] = background;
      line.words[at + 3] = extra;
    }
    if (right === screen.columns - 1) line.isWrapped = false;
  }
  screen.damage.markRows(top, bottom);
}

/**
 * Which cells DECCARA and DECRARA change: all from the first corner to the last in reading order, or a rectangle;
 * DECSACE chooses.
 */
export type AttributeExtent = 'stream' | 'rectangle';

export interface AttributeChange {
  /** Bits of the words of foreground and background that stay. */
  keep: readonly [foreground: number, background: number];
  /** Bits that are then set. */
  set: readonly [foreground: number, background: number];
  /** Bits that are then turned into their opposite. */
  flip: number;
  /** Cells with any underline lose it, others get a single one. */
  flipsUnderline: boolean;
}

export function changeCellsIn(
  screen: Screen,
  area: CellArea,
  { change, extent }: { change: AttributeChange; extent: AttributeExtent },
): void {
  const limits = addressableArea(screen);
  const { top, bottom } = area;
  for (let row = top; row <= bottom; row += 1) {
    const left = extent === 'rectangle' || row === top ? area.left : limits.left;
    const right = extent === 'rectangle' || row === bottom ? area.right : limits.right;
    changeCells(screen.grid.row(row), left, right, change);
  }
  screen.damage.markRows(top, bottom);
}

function changeCells(
  line: Line,
  left: number,
  right: number,
  { keep, set, flip, flipsUnderline }: AttributeChange,
): void {
  const { words } = line;
  let all = 0;
  for (let at = left * WORDS_PER_CELL; at <= right * WORDS_PER_CELL; at += WORDS_PER_CELL) {
    const foreground = (((words[at + 1] ?? 0) & keep[0]) | set[0]) ^ flip;
    let background = ((words[at + 2] ?? 0) & keep[1]) | set[1];
    if (flipsUnderline) {
      const isUnderlined = (background & UNDERLINE_MASK) !== 0;
      background = isUnderlined ? background & ~UNDERLINE_MASK : background | SINGLE_UNDERLINE;
    }
    words[at + 1] = foreground;
    words[at + 2] = background;
    all |= foreground | background;
  }
  if (all !== 0) line.isPlain = false;
}

const SINGLE_UNDERLINE = UNDERLINE.single << UNDERLINE_SHIFT;

/** Bits of the foreground word by the parameter of SGR that sets them, and by the one that ends them. */
const SETTING: Readonly<Record<number, number>> = { 1: BOLD, 5: BLINK, 7: INVERSE, 8: INVISIBLE };
const ENDING: Readonly<Record<number, number>> = { 22: BOLD, 25: BLINK, 27: INVERSE, 28: INVISIBLE };

/** Returns the change of DECCARA: it sets or ends attributes by parameters of SGR, in order. */
export function settingAttributes(codes: readonly number[]): AttributeChange {
  let [keptFront, keptBack, front, back] = [~0, ~0, 0, 0];
  const end = (frontBits: number, backBits: number): void => {
    keptFront &= ~frontBits;
    front &= ~frontBits;
    keptBack &= ~backBits;
    back &= ~backBits;
  };
  for (const code of codes) {
    if (code === 0) end(BOLD | BLINK | INVERSE | INVISIBLE, UNDERLINE_MASK);
    else if (code === 4 || code === 24) {
      end(0, UNDERLINE_MASK);
      if (code === 4) back |= SINGLE_UNDERLINE;
    } else {
      end(ENDING[code] ?? 0, 0);
      front |= SETTING[code] ?? 0;
    }
  }
  return { keep: [keptFront, keptBack], set: [front, back], flip: 0, flipsUnderline: false };
}

/**
 * Returns the change of DECRARA: each parameter turns an attribute into its opposite; 0 stands for all visible
 * attributes.
 */
export function reversingAttributes(codes: readonly number[]): AttributeChange {
  let flip = 0;
  let flipsUnderline = false;
  for (const code of codes) {
    flip ^= code === 0 ? BOLD | BLINK | INVERSE : (SETTING[code] ?? 0);
    if (code === 0 || code === 4) flipsUnderline = !flipsUnderline;
  }
  return { keep: [~0, ~0], set: [0, 0], flip, flipsUnderline };
}
