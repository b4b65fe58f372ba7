import type { ShapedGlyph } from './face.ts';
import { GLYPH_INFO, GLYPH_POSITION, REMOVE_DEFAULT_IGNORABLES } from './harfbuzz.ts';
import type { OutlineLibraries } from './libraries.ts';

/** Shapes clusters with one face at one size. */
export interface Shaper {
  /** Undefined when the face lacks a glyph of the cluster. */
  shape(codePoints: readonly number[]): ShapedGlyph[] | undefined;
  close(): void;
}

/** Positions are requested in this fraction of a pixel. */
const UNITS_PER_PIXEL = 64;

/** Most glyphs of a cluster; a longer result is not a cluster but an attack. */
const GLYPHS_MAX = 256;

/** Bits of a face's index that hold its position in the file; those above select an instance of a variable font. */
const INDEX_BITS = 16;

/**
 * Opens a file for shaping; the first such call loads HarfBuzz. HarfBuzz reads the file itself, so that it depends on
 * no other library's version. Undefined without HarfBuzz.
 * @param pixelSize pixels of the em square in both directions
 */
export function openShaper(
  libraries: OutlineLibraries,
  { file, index, pixelSize }: { file: string; index: number; pixelSize: { x: number; y: number } },
): Shaper | undefined {
  const harfbuzz = libraries.harfbuzz();
  if (harfbuzz === undefined) return undefined;
  const blob = harfbuzz.blobOfFile(file);
  const face = harfbuzz.createFace(blob, index & ((1 << INDEX_BITS) - 1));
  harfbuzz.destroyBlob(blob);
  const font = harfbuzz.createFont(face);
  harfbuzz.destroyFace(face);
  harfbuzz.setScale(font, Math.round(pixelSize.x * UNITS_PER_PIXEL), Math.round(pixelSize.y * UNITS_PER_PIXEL));
  const instance = index >>> INDEX_BITS;
  if (instance > 0) harfbuzz.setInstance(font, instance - 1);
  const buffer = harfbuzz.createBuffer();
  return {
    shape: (codePoints) => {
      harfbuzz.clearContents(buffer);
      harfbuzz.setFlags(buffer, REMOVE_DEFAULT_IGNORABLES);
      const text = Uint32Array.from(codePoints);
      harfbuzz.addCodePoints(buffer, text, text.length, 0, text.length);
      harfbuzz.guessProperties(buffer);
      harfbuzz.shape(font, buffer, 0, 0);
      const length = new Uint32Array(1);
      const infos = harfbuzz.glyphInfos(buffer, length);
      const positions = harfbuzz.glyphPositions(buffer, length);
      const count = length[0] ?? 0;
      if (count === 0 || count > GLYPHS_MAX) return undefined;
      return readGlyphs(
        new DataView(libraries.memory.copy(infos, count * GLYPH_INFO.bytes).buffer),
        new DataView(libraries.memory.copy(positions, count * GLYPH_POSITION.bytes).buffer),
        {
          count,
          hasMarksOnly: codePoints.slice(1).every(isMark),
          advanceOf: (glyph) => harfbuzz.advanceOf(font, glyph),
        },
      );
    },
    close: () => {
      harfbuzz.destroyBuffer(buffer);
      harfbuzz.destroyFont(font);
    },
  };
}

const isMark = (codePoint: number): boolean => /^\p{Mn}$/u.test(String.fromCodePoint(codePoint));

interface Shaped {
  count: number;
  /** Whether all code points after the first are marks without a cell. */
  hasMarksOnly: boolean;
  /** The face's own advance, which shaping removes from marks. */
  advanceOf(glyph: number): number;
}

function readGlyphs(
  infos: DataView,
  positions: DataView,
  { count, hasMarksOnly, advanceOf }: Shaped,
): ShapedGlyph[] | undefined {
  const glyphs: ShapedGlyph[] = [];
  let x = 0;
  let y = 0;
  for (let at = 0; at < count; at++) {
    const glyph = infos.getUint32(at * GLYPH_INFO.bytes + GLYPH_INFO.glyph, true);
    if (glyph === 0) return undefined;
    const measure = (place: number): number => positions.getInt32(at * GLYPH_POSITION.bytes + place, true);
    const [offsetX, offsetY] = [measure(GLYPH_POSITION.offsetX), measure(GLYPH_POSITION.offsetY)];
    const advance = measure(GLYPH_POSITION.advanceX);
    const width = advanceOf(glyph);
    // A mark that the face does not position on the previous character. One with an advance of its own is drawn for a
    // cell.
    const isLoose = at > 0 && offsetX === 0 && offsetY === 0 && (advance === 0 || (hasMarksOnly && advance === width));
    glyphs.push({
      glyph,
      x: (x + offsetX - (isLoose ? Math.max(0, width) : 0)) / UNITS_PER_PIXEL,
      y: (0 - y - offsetY) / UNITS_PER_PIXEL,
    });
    if (!isLoose) x += advance;
    y += measure(GLYPH_POSITION.advanceY);
  }
  return glyphs;
}
