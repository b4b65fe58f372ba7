import type { Face } from './face.ts';

/** The cell of a screen that is drawn with a face, in pixels. */
export interface FaceCell {
  readonly width: number;
  readonly height: number;
  /** Pixels from the top of a cell to its baseline. */
  readonly ascent: number;
  readonly descent: number;
}

/** Characters that are usually the widest: they settle nearly all faces. */
const WIDE_CHARACTERS = 'W@MÆ%mw½';

/** The lines of a VT100. A face that has all of them is expected to draw boxes without gaps. */
const LINES = '─│┌┐└┘├┤┬┴┼';

/** Lines wider than half of the widest advance times this factor, which allows for rounding, are made for two cells. */
const LINES_SHARE_MAX = 1.2;

/**
 * Returns the cell that xterm derives from a face. Its width is the ink of the widest character of ISO 8859-1, and of a
 * VT100's lines if they are made for one cell, limited by the face's largest advance; its height is ascent plus
 * descent.
 * @see xterm, fontutils.c, checkXftWidth
 */
export function cellSizeOf(face: Face): FaceCell {
  const { ascent, descent, maxAdvance } = face.metrics;
  let width = 0;
  for (const codePoint of latinCharacters()) {
    const ink = inkWidth(face, codePoint);
    if (ink > width && ink <= maxAdvance) width = ink;
    if (width === maxAdvance) break;
  }
  if (width < maxAdvance) width = Math.max(width, linesWidth(face));
  // A face of symbols may have none of these characters.
  return { width: width > 0 ? width : maxAdvance, height: ascent + descent, ascent, descent };
}

function* latinCharacters(): Iterable<number> {
  for (const character of WIDE_CHARACTERS) yield character.codePointAt(0) ?? 0;
  for (let codePoint = 0x20; codePoint < 0x7f; codePoint++) yield codePoint;
  // Without the last one, as in xterm.
  for (let codePoint = 0xa0; codePoint < 0xff; codePoint++) yield codePoint;
}

/** Returns the ink width of a VT100's lines; 0 when the face lacks some, or has them for two cells. */
function linesWidth(face: Face): number {
  const { maxAdvance } = face.metrics;
  let width = 0;
  for (const line of LINES) {
    const codePoint = line.codePointAt(0) ?? 0;
    if (face.glyphOf(codePoint) === 0) return 0;
    const ink = inkWidth(face, codePoint);
    if (ink > width && ink <= maxAdvance) width = ink;
  }
  const half = Math.trunc((maxAdvance + 1) / 2);
  return width > LINES_SHARE_MAX * half ? 0 : width;
}

function inkWidth(face: Face, codePoint: number): number {
  const glyph = face.glyphOf(codePoint);
  return glyph === 0 ? 0 : (face.rasterize(glyph)?.width ?? 0);
}
