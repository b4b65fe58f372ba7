import type { Face, GlyphImage } from '../../../src/termprog/fonts/outline/face.ts';
import type { ClusterRequest, Route } from '../../../src/termprog/fonts/routing/route.ts';
import type { OutlineSlotFonts } from '../../../src/termprog/fonts/slot-fonts.ts';

export const CELL = { width: 7, height: 12 };
const ASCENT = 9;

const face = (rasterize: (glyph: number) => GlyphImage | undefined): Face => ({
  family: 'Made',
  style: 'Regular',
  file: 'made',
  index: 0,
  pixelSize: CELL.height,
  metrics: { ascent: ASCENT, descent: CELL.height - ASCENT, height: CELL.height, maxAdvance: CELL.width },
  hasColorGlyphs: false,
  hasOutlines: true,
  isMonospaced: true,
  glyphOf: (codePoint) => codePoint,
  shape: (codePoints) => codePoints.map((glyph) => ({ glyph, x: 0, y: 0 })),
  advanceOf: () => CELL.width,
  isColorGlyph: () => false,
  rasterize,
  close: () => undefined,
});

/** Coverage that differs from glyph to glyph; capital letters reach a pixel into the cells beside their own. */
const textFace = face((glyph) => {
  const hangs = glyph >= 0x41 && glyph <= 0x5a;
  const isWide = glyph > 0x3000;
  const [left, width] = hangs ? [-1, CELL.width + 2] : [0, isWide ? 2 * CELL.width : CELL.width];
  return {
    format: 'alpha',
    width,
    height: 8,
    left,
    top: 8,
    advance: CELL.width,
    pixels: Uint8Array.from({ length: width * 8 }, (_, at) => (at * 37 + glyph * 11) % 256),
  };
});

/** Red in the left half, a translucent blue in the right. */
const colorFace = face(() => ({
  format: 'color',
  width: 2 * CELL.width,
  height: CELL.height,
  left: 0,
  top: ASCENT,
  advance: 2 * CELL.width,
  pixels: Uint8Array.from({ length: 8 * CELL.width * CELL.height }, (_, at) => {
    const isLeft = (at >> 2) % (2 * CELL.width) < CELL.width;
    return (isLeft ? [0, 0, 255, 255] : [128, 0, 0, 128])[at & 3] ?? 0;
  }),
}));

/** Coverage for each of the colours. */
const subpixelFace = face((glyph) => ({
  format: 'subpixel',
  width: CELL.width,
  height: 8,
  left: 0,
  top: 8,
  advance: CELL.width,
  pixels: Uint8Array.from({ length: 4 * CELL.width * 8 }, (_, at) => (at * 37 + glyph * 11) % 256),
}));

function faceFor({ codePoints }: ClusterRequest): Face | undefined {
  const [first = 0] = codePoints;
  if (first >= 0x1f300) return colorFace;
  if (first === 0xff || first === 0xfe) return subpixelFace;
  // The face lacks a mark, so it can't show a cluster with it.
  if (codePoints.length > 1 && codePoints.includes(0x36b)) return undefined;
  return first === 0xe000 || first === 0x36b ? undefined : textFace;
}

/** An outline slot whose glyphs are made by formulas. */
export function madeSlotFonts(): Omit<OutlineSlotFonts, 'render'> {
  return {
    kind: 'outline',
    cell: CELL,
    ascent: ASCENT,
    descent: CELL.height - ASCENT,
    router: {
      route: (request, step): Route => {
        const found = faceFor(request);
        if (found === undefined || step === 'system') return { kind: 'missing' };
        const glyphs = request.codePoints.map((glyph) => ({ glyph, x: 0, y: 0 }));
        return { kind: 'face', face: found, glyphs, scale: 1, isColor: true, role: 'primary' };
      },
    },
    close: () => undefined,
  };
}
