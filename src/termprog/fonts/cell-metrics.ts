import { type CharacterArea, type FontReply, indexOf } from './font-reply.ts';

/** Metrics of a server font for text in cells. */
export interface CellMetrics {
  /** Width of its widest character; of a narrow one if the others are exactly twice as wide. */
  cellWidth: number;
  ascent: number;
  descent: number;
  /** Whether ink of some character lies left or right of its cell. */
  overhangs: boolean;
  /**
   * Whether the server sends metrics for each character. It omits them if all characters fill their cells, as in a font
   * that it scaled from another one.
   */
  hasCharacterMetrics: boolean;
  /** Whether it has characters of one cell and of two, and no other widths. */
  hasWide: boolean;
  /** Widths of characters in pixels, if they differ in another way. */
  widthOf: ((codePoint: number) => number) | undefined;
  /** Whether it has a picture for a code point. */
  has(codePoint: number): boolean;
  /** A bit per code point with a picture, 32 in a word. */
  covered: Uint32Array;
}

/** Code points that a core font can have: two bytes select a picture. */
const PLANE = 0x10000;

/** Computes the metrics; undefined for an unusable font. */
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

/** Whether all characters have one of these widths; missing characters have width 0. */
function hasOnlyWidths({ count, widthAt }: FontReply, widths: readonly number[]): boolean {
  for (let index = 0; index < count; index += 1) {
    if (!widths.includes(widthAt(index))) return false;
  }
  return true;
}

/**
 * Converts an index to a code point. A font without rows may number its characters in 16 bits: a column is then a whole
 * code point.
 */
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

/** Sets a bit. Bits beyond the plane are dropped, because a typed array does not grow. */
function setBit(bits: Uint32Array, codePoint: number): void {
  bits[codePoint >>> 5] = (bits[codePoint >>> 5] ?? 0) | (1 << (codePoint & 31));
}
