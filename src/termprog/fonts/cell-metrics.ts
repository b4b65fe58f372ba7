import { type CharacterArea, type FontReply, indexOf } from './font-reply.ts';

/** What a font of the server is to text in cells. */
export interface CellMetrics {
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
  /** Whether it has a picture for a code point. */
  has(codePoint: number): boolean;
  /** A bit for each code point that it has a picture for, 32 in a word. */
  covered: Uint32Array;
}

/** Code points a core font can have: two bytes select a picture. */
const PLANE = 0x10000;

/** Undefined for an unusable font. */
export function cellMetricsOf(reply: FontReply): CellMetrics | undefined {
  const { minBounds, maxBounds, ascent, descent, area, count } = reply;
  const [narrowest, widest] = [minBounds.width, maxBounds.width];
  const hasWide = 2 * narrowest === widest && hasOnlyWidths(reply, [0, narrowest, widest]);
  const cellWidth = hasWide ? narrowest : widest;
  if (area === undefined || cellWidth <= 0 || ascent + descent <= 0) return undefined;
  const covered = count === 0 ? fullBitset(area) : readBitset(reply, area);
  return {
    cellWidth,
    ascent,
    descent,
    overhangs: minBounds.leftBearing < 0 || maxBounds.rightBearing > widest,
    hasCharacterMetrics: count > 0,
    hasWide,
    widthOf:
      narrowest === widest || hasWide || count === 0
        ? undefined
        : (codePoint) => reply.widthAt(indexOf(area, codePoint)),
    has: (codePoint) =>
      codePoint >= 0 && codePoint < PLANE && ((covered[codePoint >>> 5] ?? 0) & (1 << (codePoint & 31))) !== 0,
    covered,
  };
}

/** Missing characters have no width. */
function hasOnlyWidths({ count, widthAt }: FontReply, widths: readonly number[]): boolean {
  for (let index = 0; index < count; index += 1) {
    if (!widths.includes(widthAt(index))) return false;
  }
  return true;
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

function readBitset({ count, isThere }: FontReply, area: CharacterArea): Uint32Array {
  const bits = new Uint32Array(PLANE >>> 5);
  const perRow = area.lastColumn - area.firstColumn + 1;
  const most = (area.lastRow - area.firstRow + 1) * perRow;
  let column = 0;
  let codePoint = codePointAt(area, 0);
  for (let index = 0; index < Math.min(count, most); index++) {
    if (isThere(index)) setBit(bits, codePoint);
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
