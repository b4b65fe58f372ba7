/** What an answer to QueryFont says about a font; X11 protocol, QueryFont. */
export interface FontMetrics {
  /** Width of its widest character, or of a narrow one where the others are twice as wide. */
  cellWidth: number;
  ascent: number;
  descent: number;
  /** Whether ink of some character lies left or right of its cell. */
  overhangs: boolean;
  /**
   * Whether the server tells the metrics of each character. It doesn't where all fill their cells, as they do in a font
   * that it made by scaling another one.
   */
  hasCharacterMetrics: boolean;
  /** Whether it has characters of one cell and of two, and no others. */
  hasWide: boolean;
  /** Widths of characters in pixels, where they differ in another way. */
  widthOf: ((codePoint: number) => number) | undefined;
  /** Atom of its full name, where it has one. */
  fullNameAtom: number | undefined;
  /** Whether it has a picture for a code point. */
  has(codePoint: number): boolean;
  /** A bit for each code point that it has a picture for, 32 in a word. */
  covered: Uint32Array;
}

/** Places in the answer's bytes, counted from its ninth. */
const MIN_LEFT_BEARING = 0;
const MIN_WIDTH = 4;
const MAX_RIGHT_BEARING = 18;
const MAX_WIDTH = 20;
const MIN_BYTE_2 = 32;
const MAX_BYTE_2 = 34;
const PROPERTY_COUNT = 38;
const MIN_BYTE_1 = 41;
const MAX_BYTE_1 = 42;
const ASCENT = 44;
const DESCENT = 46;
const CHARACTER_COUNT = 48;
const PROPERTIES = 52;

const PROPERTY_BYTES = 8;
const CHARACTER_BYTES = 12;
/** Place of the width in a character's metrics. */
const CHARACTER_WIDTH = 4;

/** The predefined atom of the property that holds a font's full name; X11 protocol, Appendix B. */
const FONT_ATOM = 18;

/** Code points a core font can have: two bytes select a picture. */
const PLANE = 0x10000;

/**
 * Reads the answer to QueryFont as the server sent it, without its first 8 bytes.
 * Undefined for an unusable font, and for bytes that are not such an answer.
 */
export function decodeFontReply(body: Uint8Array): FontMetrics | undefined {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (view.byteLength < PROPERTIES) return undefined;
  const properties = view.getUint16(PROPERTY_COUNT, true);
  const characters = PROPERTIES + properties * PROPERTY_BYTES;
  const count = view.getUint32(CHARACTER_COUNT, true);
  if (characters + count * CHARACTER_BYTES > view.byteLength) return undefined;
  const narrowest = view.getInt16(MIN_WIDTH, true);
  const widest = view.getInt16(MAX_WIDTH, true);
  const hasWide = 2 * narrowest === widest && hasOnlyWidths(view, characters, count, [0, narrowest, widest]);
  const cellWidth = hasWide ? narrowest : widest;
  const ascent = view.getInt16(ASCENT, true);
  const descent = view.getInt16(DESCENT, true);
  const area = characterArea(view);
  if (area === undefined || cellWidth <= 0 || ascent + descent <= 0) return undefined;
  // A server sends no characters when all have the metrics of the font; then all exist.
  const covered = count === 0 ? fullBitset(area) : readBitset(view, characters, count, area);
  return {
    cellWidth,
    ascent,
    descent,
    overhangs: view.getInt16(MIN_LEFT_BEARING, true) < 0 || view.getInt16(MAX_RIGHT_BEARING, true) > widest,
    hasCharacterMetrics: count > 0,
    hasWide,
    widthOf:
      narrowest === widest || hasWide || count === 0
        ? undefined
        : (codePoint) => readWidth(view, characters, indexOf(area, codePoint)),
    fullNameAtom: findProperty(view, properties, FONT_ATOM),
    has: (codePoint) =>
      codePoint >= 0 && codePoint < PLANE && ((covered[codePoint >>> 5] ?? 0) & (1 << (codePoint & 31))) !== 0,
    covered,
  };
}

/** Rows and columns of the characters there are; the high and the low byte of a code point. */
interface CharacterArea {
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
}

function characterArea(view: DataView): CharacterArea | undefined {
  const firstColumn = view.getUint16(MIN_BYTE_2, true);
  const lastColumn = view.getUint16(MAX_BYTE_2, true);
  const firstRow = view.getUint8(MIN_BYTE_1);
  const lastRow = view.getUint8(MAX_BYTE_1);
  return firstColumn <= lastColumn && firstRow <= lastRow ? { firstRow, lastRow, firstColumn, lastColumn } : undefined;
}

/** Place of a character among all; undefined where there is none. */
function indexOf({ firstRow, lastRow, firstColumn, lastColumn }: CharacterArea, codePoint: number): number | undefined {
  const perRow = lastColumn - firstColumn + 1;
  const hasRows = lastRow > 0;
  const row = hasRows ? codePoint >> 8 : firstRow;
  const column = hasRows ? codePoint & 0xff : codePoint;
  if (row < firstRow || row > lastRow || column < firstColumn || column > lastColumn) return undefined;
  return (row - firstRow) * perRow + column - firstColumn;
}

/** Missing characters have no width. */
function hasOnlyWidths(view: DataView, characters: number, count: number, widths: readonly number[]): boolean {
  for (let index = 0; index < count; index += 1) {
    if (!widths.includes(readWidth(view, characters, index))) return false;
  }
  return true;
}

function readWidth(view: DataView, characters: number, index: number | undefined): number {
  const at = characters + (index ?? 0) * CHARACTER_BYTES + CHARACTER_WIDTH;
  return index === undefined || at + 2 > view.byteLength ? 0 : view.getInt16(at, true);
}

/** A font without rows may number its characters in 16 bits: then a column is a whole code point. */
function codePointAt({ firstRow, firstColumn, lastColumn }: CharacterArea, index: number): number {
  const perRow = lastColumn - firstColumn + 1;
  const row = Math.floor(index / perRow);
  return ((firstRow + row) << 8) + firstColumn + (index - row * perRow);
}

function fullBitset(area: CharacterArea): Uint32Array {
  const bits = new Uint32Array(PLANE >>> 5);
  const count = (area.lastRow - area.firstRow + 1) * (area.lastColumn - area.firstColumn + 1);
  for (let index = 0; index < count; index++) setBit(bits, codePointAt(area, index));
  return bits;
}

/** A character whose metrics are all zero is missing. */
function readBitset(view: DataView, start: number, count: number, area: CharacterArea): Uint32Array {
  const bits = new Uint32Array(PLANE >>> 5);
  const most = (area.lastRow - area.firstRow + 1) * (area.lastColumn - area.firstColumn + 1);
  const perRow = area.lastColumn - area.firstColumn + 1;
  let at = start;
  let column = 0;
  let codePoint = codePointAt(area, 0);
  for (let index = 0; index < Math.min(count, most); index++) {
    // Bearings, then width and ascent, then the descent; the attributes after it say nothing.
    const metrics = view.getUint32(at, true) | view.getUint32(at + 4, true) | view.getUint16(at + 8, true);
    if (metrics !== 0) setBit(bits, codePoint);
    at += CHARACTER_BYTES;
    column += 1;
    codePoint += 1;
    if (column === perRow) {
      column = 0;
      codePoint += 256 - perRow;
    }
  }
  return bits;
}

/** Bits beyond the plane fall off: a typed array takes no more than it has. */
function setBit(bits: Uint32Array, codePoint: number): void {
  bits[codePoint >>> 5] = (bits[codePoint >>> 5] ?? 0) | (1 << (codePoint & 31));
}

function findProperty(view: DataView, count: number, name: number): number | undefined {
  for (let at = PROPERTIES; at < PROPERTIES + count * PROPERTY_BYTES; at += PROPERTY_BYTES) {
    if (view.getUint32(at, true) === name) return view.getUint32(at + 4, true);
  }
  return undefined;
}
