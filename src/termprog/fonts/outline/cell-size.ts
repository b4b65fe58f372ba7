import type { Face } from './face.ts';

/** The cell of a screen that is drawn with a face, in pixels. */
export interface CellSize {
  readonly width: number;
  readonly height: number;
  /** From the top of a cell to its baseline. */
  readonly ascent: number;
  readonly descent: number;
}

/** Characters that are mostly the widest ones: with them nearly all faces are settled. */
const WIDE_CHARACTERS = 'W@MÆ%mw½';

/**
 * The cell that xterm makes from a face: as wide as the ink of the widest character of ISO 8859-1, as long as that does
 * not pass what the face advances at most; as high as ascent and descent together.
 * @see xterm, fontutils.c, checkXft
 */
export function cellSizeOf(face: Face): CellSize {
  const { ascent, descent, maxAdvance } = face.metrics;
  let width = 0;
  for (const codePoint of latinCharacters()) {
    const ink = inkWidth(face, codePoint);
    if (ink > width && ink <= maxAdvance) width = ink;
    if (width === maxAdvance) break;
  }
  // A face of symbols may have none of them.
  return { width: width > 0 ? width : maxAdvance, height: ascent + descent, ascent, descent };
}

function* latinCharacters(): Iterable<number> {
  for (const character of WIDE_CHARACTERS) yield character.codePointAt(0) ?? 0;
  for (let codePoint = 0x20; codePoint < 0x7f; codePoint++) yield codePoint;
  // As in xterm, without the last one.
  for (let codePoint = 0xa0; codePoint < 0xff; codePoint++) yield codePoint;
}

function inkWidth(face: Face, codePoint: number): number {
  const glyph = face.glyphOf(codePoint);
  return glyph === 0 ? 0 : (face.rasterize(glyph)?.width ?? 0);
}
