import { OutlineFontsUnavailableError } from '../../errors.ts';
import { FACE_FLAG, LOAD, PIXEL_MODE, RENDER_MODE, UNITS_PER_PIXEL } from './freetype.ts';
import { readPicture } from './glyph-picture.ts';
import { NativeFace, type SizeMetrics } from './native-face.ts';
import type { OutlineEnvironment } from './open-face.ts';

/**
 * A TrueType font of 1,024 units with two glyphs: the second one is a rectangle from (64, -128) to (512, 384) with an
 * advance of 640. The ascender is 512, the descender -256.
 */
const FONT =
  'AAEAAAAGAEAAAgAgZ2x5ZgIDBMQAAABsAAAAJGhlYWRhVEH9AAAAkAAAADZoaGVhBEICAwAAAMgAAAAkaG10eAUAAEAAAADsAAAA' +
  'CGxvY2EAEgAAAAAA9AAAAAZtYXhwAAQABQAAAPwAAAAgAAEAQP+AAgABgAADAAABAQEBAEAAAAHAAAD/gAIAAAD+AAAAAAEAAAAB' +
  'AAAAAAAAXw889QAABAAAAAAAAAAAAAAAAAAAAAAAAED/gAIAAYAAAAAIAAIAAAAAAAAAAQAAAgD/AAAAAoAAQACAAgAAAQAAAAAA' +
  'AAAAAAAAAAAAAAICgAAAAoAAQAAAAAAAEgAAAAEAAAACAAQAAQAAAAAAAQAAAAAAAAAAAAAAAAAAAAA=';

const GLYPH = 1;

/** At this size one pixel has 64 units, so that all edges lie between pixels. */
const PIXEL_SIZE = 16;

interface Drawn {
  glyphCount: number;
  unitsPerEm: number;
  isScalable: boolean;
  /** Units are 64ths of a pixel, also in the next three fields. */
  size: SizeMetrics;
  width: number;
  height: number;
  advance: number;
  picture: { rows: number; columns: number; mode: number; left: number; top: number };
  /** Hexadecimal digits. */
  pixels: string;
}

/** Expected look of the glyph and its face at that size. */
const EXPECTED: Drawn = {
  glyphCount: 2,
  unitsPerEm: 1_024,
  isScalable: true,
  size: {
    ascender: 8 * UNITS_PER_PIXEL,
    descender: -4 * UNITS_PER_PIXEL,
    height: 12 * UNITS_PER_PIXEL,
    maxAdvance: 10 * UNITS_PER_PIXEL,
  },
  width: 7 * UNITS_PER_PIXEL,
  height: 8 * UNITS_PER_PIXEL,
  advance: 10 * UNITS_PER_PIXEL,
  picture: { rows: 8, columns: 7, mode: PIXEL_MODE.gray, left: 1, top: 6 },
  pixels: 'ff'.repeat(56),
};

/**
 * Draws a glyph whose look is known, so that structures with unexpected offsets are detected before other data is read
 * from them.
 * @throws OutlineFontsUnavailableError when the result differs
 */
export function checkDrawing({ libraries, freetypeLibrary }: OutlineEnvironment): void {
  const address = new BigUint64Array(1);
  // FreeType reads the bytes while the face is open.
  const bytes = Buffer.from(FONT, 'base64');
  const error = libraries.freetype.newMemoryFace(freetypeLibrary, bytes, bytes.length, 0, address);
  if (error !== 0) throw new OutlineFontsUnavailableError(`FreeType can't read a font of its check (error ${error})`);
  const face = new NativeFace(libraries, Number(address[0]));
  const drawn = draw(face, libraries.memory.copy);
  face.close();
  // This use keeps the buffer alive until the face is closed.
  bytes.fill(0);
  if (JSON.stringify(drawn) !== JSON.stringify(EXPECTED)) {
    throw new OutlineFontsUnavailableError(
      'FreeType draws another glyph than it should: its version is not known here',
    );
  }
}

function draw(face: NativeFace, copy: (address: number, bytes: number) => Uint8Array): Drawn | undefined {
  const { glyphCount, unitsPerEm } = face;
  if (glyphCount !== EXPECTED.glyphCount || unitsPerEm !== EXPECTED.unitsPerEm) return undefined;
  const side = PIXEL_SIZE * UNITS_PER_PIXEL;
  if (!face.setSize(side, side) || !face.load(GLYPH, LOAD.noHinting) || !face.render(RENDER_MODE.normal))
    return undefined;
  const { width, height, advance, picture } = face.slot();
  const { rows, columns, mode, left, top } = picture;
  // A wrong address must not be read.
  if (rows !== EXPECTED.picture.rows || columns !== EXPECTED.picture.columns) return undefined;
  const pixels = readPicture(picture, { isBlueFirst: false, copy })?.pixels ?? new Uint8Array(0);
  return {
    glyphCount,
    unitsPerEm,
    isScalable: (face.flags & FACE_FLAG.scalable) !== 0,
    size: face.sizeMetrics(),
    width,
    height,
    advance,
    picture: { rows, columns, mode, left, top },
    pixels: Buffer.from(pixels).toString('hex'),
  };
}
