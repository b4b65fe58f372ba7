import type { GlyphImage } from './face.ts';
import { PIXEL_MODE } from './freetype.ts';
import type { GlyphSlot } from './native-face.ts';

/** The pixels of a glyph image. */
export type GlyphPixels = Pick<GlyphImage, 'format' | 'width' | 'height' | 'pixels'>;

/** Coverage of a pixel that is fully inside. */
const FULL = 0xff;

/**
 * Converts a picture that FreeType drew to RENDER's formats. Undefined for an unknown format, and for a damaged
 * picture.
 * @see xftglyphs.c, _fill_xrender_bitmap
 */
export function readPicture(
  { rows, columns, pitch, address, mode }: GlyphSlot['picture'],
  { isBlueFirst, copy }: { isBlueFirst: boolean; copy: (address: number, bytes: number) => Uint8Array },
): GlyphPixels | undefined {
  if (rows === 0 || columns === 0) return { format: 'alpha', width: 0, height: 0, pixels: new Uint8Array(0) };
  if (bytesOfRow(mode, columns) > Math.abs(pitch)) return undefined;
  const stride = Math.abs(pitch);
  // A negative pitch means that rows go upwards in memory: the address is that of the first row from above, the last in
  // memory.
  const start = pitch < 0 ? address + pitch * (rows - 1) : address;
  const bytes = copy(start, stride * (rows - 1) + bytesOfRow(mode, columns));
  const source: Source = { bytes, stride, rows, columns, isUpwards: pitch < 0 };
  switch (mode) {
    case PIXEL_MODE.mono:
      return alpha(source, (byte) => ((bytes[byte >> 3] ?? 0) & (0x80 >> (byte & 7)) ? FULL : 0), stride * 8);
    case PIXEL_MODE.gray:
      return alpha(source, (byte) => bytes[byte] ?? 0, stride);
    case PIXEL_MODE.lcd:
      return subpixel(source, { width: columns / 3, height: rows, x: 3, y: stride, next: 1 }, isBlueFirst);
    case PIXEL_MODE.lcdVertical:
      return subpixel(source, { width: columns, height: rows / 3, x: 1, y: 3 * stride, next: stride }, isBlueFirst);
    case PIXEL_MODE.bgra:
      return color(source);
    default:
      return undefined;
  }
}

interface Source {
  bytes: Uint8Array;
  stride: number;
  rows: number;
  columns: number;
  isUpwards: boolean;
}

function bytesOfRow(mode: number, columns: number): number {
  if (mode === PIXEL_MODE.mono) return (columns + 7) >> 3;
  return mode === PIXEL_MODE.bgra ? columns * 4 : columns;
}

/** Returns the source row for a row counted from above. */
function rowAt({ rows, isUpwards }: Source, row: number): number {
  return isUpwards ? rows - 1 - row : row;
}

function alpha(source: Source, coverageAt: (place: number) => number, placesOfRow: number): GlyphPixels {
  const { rows, columns } = source;
  const pixels = new Uint8Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const start = rowAt(source, row) * placesOfRow;
    for (let column = 0; column < columns; column++) pixels[row * columns + column] = coverageAt(start + column);
  }
  return { format: 'alpha', width: columns, height: rows, pixels };
}

/**
 * Combines three coverages to a pixel. The largest is its alpha, so that no pixel of a translucent window has more
 * colour than its alpha permits. libXft takes the middle one; an opaque window ignores alpha.
 */
function subpixel(
  { bytes, stride, rows, isUpwards }: Source,
  step: { width: number; height: number; x: number; y: number; next: number },
  isBlueFirst: boolean,
): GlyphPixels {
  const { width, height } = step;
  const pixels = new Uint8Array(width * height * 4);
  const origin = isUpwards ? (rows - 1) * stride : 0;
  const down = isUpwards ? -1 : 1;
  const next = step.next === stride ? stride * down : step.next;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = origin + y * step.y * down + x * step.x;
      const first = bytes[at] ?? 0;
      const middle = bytes[at + next] ?? 0;
      const last = bytes[at + 2 * next] ?? 0;
      const most = Math.max(first, middle, last);
      pixels.set(isBlueFirst ? [first, middle, last, most] : [last, middle, first, most], (y * width + x) * 4);
    }
  }
  return { format: 'subpixel', width, height, pixels };
}

function color(source: Source): GlyphPixels {
  const { bytes, stride, rows, columns } = source;
  const pixels = new Uint8Array(rows * columns * 4);
  for (let row = 0; row < rows; row++) {
    const start = rowAt(source, row) * stride;
    pixels.set(bytes.subarray(start, start + columns * 4), row * columns * 4);
  }
  return { format: 'color', width: columns, height: rows, pixels };
}
