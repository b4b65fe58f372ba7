import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Face } from '../../../../../src/termprog/fonts/outline/face.ts';
import type { OpenFaceSource } from '../../../../../src/termprog/fonts/outline/open-face-source.ts';
import { makeColorFont } from '../../../../harness/made-font.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';
import { openFile, openFont, openSource, requestOf } from './open-fonts.ts';

const MONO = 'DejaVu Sans Mono';
const EMOJI = 'Noto Color Emoji';

let source: OpenFaceSource;
beforeAll(() => {
  source = openSource();
});
afterAll(() => source.close());

/** Records of libXft: pattern, file, metrics, pictures. */
const recorded = readFileSync('tests/golden/termprog/outline-fonts/libxft.txt', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('metrics, places and advances are those of libXft, at every resolution and with every setting', () => {
  const ours = recorded.map((line) => {
    const [pattern = '', , , glyphs = ''] = line.split('|');
    const face = openFont(source, pattern);
    const { ascent, descent, height, maxAdvance } = face.metrics;
    const pictures = glyphs.split(' ').map((glyph) => placeOf(face, glyph.split(':')[0] ?? ''));
    face.close();
    return [pattern, basename(face.file), `${ascent} ${descent} ${height} ${maxAdvance}`, pictures.join(' ')].join('|');
  });

  expect(ours.length).toBeGreaterThan(60);
  expect(ours).toEqual(recorded);
});

function placeOf(face: Face, codePoint: string): string {
  const image = face.rasterize(face.glyphOf(Number.parseInt(codePoint, 16)));
  if (image === undefined) return `${codePoint}:missing`;
  const { width, height, left, top, advance } = image;
  const signed = (place: number): string => (place < 0 ? `${place}` : `+${place}`);
  return `${codePoint}:${width}x${height}${signed(left)}${signed(top)}/${advance}`;
}

describe('sizes', () => {
  const pixelsOf = (pattern: string, request: Parameters<typeof requestOf>[1]): number => {
    const face = openFont(source, pattern, request);
    face.close();
    return Math.round(face.pixelSize * 100) / 100;
  };

  test('points are those of the resolution of the screen', () => {
    expect(pixelsOf(MONO, { size: { points: 9 } })).toBe(12.5);
  });

  test('a size in the pattern wins, unless it is overridden', () => {
    expect(pixelsOf(`${MONO}:size=18`, { size: { points: 9 } })).toBe(25);
    expect(pixelsOf(`${MONO}:pixelsize=13`, { size: { points: 9 } })).toBe(13);
    expect(pixelsOf(`${MONO}:size=18`, { size: { pixels: 20 } })).toBe(25);
    expect(pixelsOf(`${MONO}:size=18`, { size: { pixels: 20 }, overridesSize: true })).toBe(20);
    expect(pixelsOf(`${MONO}:pixelsize=13`, { size: { points: 9 }, overridesSize: true })).toBe(12.5);
  });

  test('a size that no window could show is refused by name', () => {
    expect(() => openFont(source, MONO, { size: { points: 10_000 } })).toThrow(
      "the font DejaVu Sans Mono can't be opened at 13889 pixels, at most 512 are possible",
    );
  });

  test.each([0, -1, Number.NaN])('a size of %s is refused', (pixels) => {
    expect(() => openFont(source, MONO, { size: { pixels } })).toThrow(/can't be opened at/);
  });
});

describe('Xft resources', () => {
  test('Xft.dpi wins over the resolution of the screen', () => {
    const large = openSource({ resources: { dpi: '192' } });
    expect(openFont(large, MONO, { size: { points: 9 } }).pixelSize).toBe(24);
    large.close();
  });

  test('a resource with nonsense counts as if it was not there', () => {
    const same = openSource({ resources: { dpi: 'many', hintstyle: 'nonsense', antialias: '' } });
    expect(openFont(same, MONO).metrics).toEqual(openFont(source, MONO).metrics);
    same.close();
  });

  test('resources count where both the pattern and the configuration are silent', () => {
    const other = openSource({ resources: { embolden: 'yes', rgba: 'rgb', lcdfilter: '1' } });
    const face = openFont(other, MONO);
    expect(face.rasterize(face.glyphOf(0x40))).toMatchObject({ format: 'subpixel' });
    const plain = openFont(other, `${MONO}:rgba=none`);
    expect(inkOf(plain, 0x6c)).toBeGreaterThan(inkOf(openFont(source, MONO), 0x6c));
    other.close();
  });

  test('the order of colours is that of the screen by default', () => {
    const other = openSource({ subpixelOrder: 2 });
    const face = openFont(other, MONO);
    expect(face.rasterize(face.glyphOf(0x40))).toMatchObject({ format: 'subpixel' });
    other.close();
  });

  test('without antialiasing pixels are inked or not', () => {
    const face = openFont(source, `${MONO}:antialias=false`);
    expect(new Set(face.rasterize(face.glyphOf(0x40))?.pixels)).toEqual(new Set([0, 255]));
  });
});

describe('variants', () => {
  test('bold and italic are faces of their own', () => {
    expect(source.match(requestOf(MONO, { isBold: true }))).toMatchObject({ style: 'Bold' });
    expect(source.match(requestOf(MONO, { isItalic: true }))).toMatchObject({ style: 'Oblique' });
    expect(source.match(requestOf(MONO, { isBold: true, isItalic: true }))).toMatchObject({ style: 'Bold Oblique' });
  });

  test('a face that has no bold form is emboldened, one without an italic form is slanted', () => {
    // The only other form of this face is a bold one.
    const [plain, italic] = [
      openFont(source, 'Noto Sans CJK JP'),
      openFont(source, 'Noto Sans CJK JP', { isItalic: true }),
    ];
    expect(italic.file).toBe(plain.file);
    const [upright, slanted] = [plain, italic].map((face) => face.rasterize(face.glyphOf(0x6c)));
    expect(slanted?.width).toBeGreaterThan(upright?.width ?? Number.NaN);
    const bold = openFont(source, `${MONO}:style=Book:embolden=true`);
    const [thin, thick] = [openFont(source, MONO), bold].map((face) => inkOf(face, 0x6c));
    expect(thick).toBeGreaterThan(thin ?? Number.NaN);
  });

  test('a glyph may be emboldened when it is drawn', () => {
    const face = openFont(source, MONO);
    expect(inkOf(face, 0x6c, true)).toBeGreaterThan(inkOf(face, 0x6c));
  });

  test('glyphs advance as far as is asked for', () => {
    const face = openFont(source, MONO, { charWidth: 21 });
    expect(face.metrics.maxAdvance).toBe(21);
    expect(face.rasterize(face.glyphOf(0x41))?.advance).toBe(21);
  });
});

/** Sum of the coverage of a glyph. */
function inkOf(face: Face, codePoint: number, embolden = false): number {
  const pixels = face.rasterize(face.glyphOf(codePoint), { embolden })?.pixels ?? new Uint8Array(0);
  return pixels.reduce((sum, value) => sum + value, 0);
}

describe('candidates', () => {
  test('the family that fontconfig gives instead of an unknown one is reported, unless it stands for others', () => {
    expect(source.match(requestOf('No Such Face'))).toMatchObject({ isNamedFamily: false });
    expect(source.match(requestOf('dejavusansmono'))).toMatchObject({ isNamedFamily: true, family: MONO });
    expect(source.match(requestOf('monospace'))).toMatchObject({ isNamedFamily: true });
    expect(source.match(requestOf(''))).toMatchObject({ isNamedFamily: true });
  });

  test('which characters a font has is known before it is opened', () => {
    const candidate = source.match(requestOf(MONO));
    expect(candidate?.covers(0x416)).toBe(true);
    expect(candidate?.covers(0x4e00)).toBe(false);
  });

  test("the system's fonts come in order, each once, with those for ideographs and emoji among them", () => {
    const candidates = [...source.candidates(requestOf(MONO))];
    expect(candidates[0]).toMatchObject({ family: MONO, hasOutlines: true, hasColor: false });
    expect(new Set(candidates.map(({ file, index }) => `${index} ${file}`)).size).toBe(candidates.length);
    expect(candidates.find((candidate) => candidate.covers(0x4e00))).toMatchObject({ hasOutlines: true });
    const emoji = candidates.find((candidate) => candidate.hasColor);
    expect(emoji).toMatchObject({ family: EMOJI, hasOutlines: false });
    expect(emoji?.open()).toMatchObject({ family: EMOJI, hasColorGlyphs: true });
  });

  test('after a source was closed no face can be opened, while open faces remain usable', () => {
    const other = openSource();
    const face = openFont(other, MONO);
    const [candidate] = other.candidates(requestOf(MONO));
    other.close();
    expect(() => candidate?.open()).toThrow(/not in use any more/);
    expect(candidate?.covers(0x41)).toBe(false);
    expect(other.match(requestOf(MONO))).toBeUndefined();
    expect([...other.candidates(requestOf(MONO))]).toEqual([]);
    expect(inkOf(face, 0x41)).toBeGreaterThan(0);
    face.close();
    expect(face.rasterize(1)).toBeUndefined();
    expect(face.glyphOf(0x41)).toBe(0);
    expect(face.shape([0x41, 0x301])).toBeUndefined();
    face.close();
  });
});

describe('colour', () => {
  const GRIN = 0x1f600;

  test('an emoji is drawn in the size of the face, in colours premultiplied by their alpha', () => {
    const face = openFont(source, EMOJI, { size: { pixels: 16 } });
    const glyph = face.glyphOf(GRIN);
    expect(face.isColorGlyph(glyph)).toBe(true);
    expect(face).toMatchObject({ hasColorGlyphs: true, hasOutlines: false, pixelSize: 16 });
    const image = face.rasterize(glyph);
    expect(image).toMatchObject({ format: 'color', width: 20, height: 19, advance: 20 });
    const pixels = image?.pixels ?? new Uint8Array(0);
    expect(pixels.length).toBe(20 * 19 * 4);
    for (let at = 0; at < pixels.length; at += 4) {
      expect(Math.max(...pixels.subarray(at, at + 3))).toBeLessThanOrEqual((pixels[at + 3] ?? 0) + 1);
    }
    expect(pixels.some((value, at) => at % 4 === 3 && value === 255)).toBe(true);
  });

  test('it is drawn smaller where the cells are', () => {
    const face = openFont(source, EMOJI, { size: { pixels: 16 } });
    expect(face.rasterize(face.glyphOf(GRIN), { scale: 0.5 })).toMatchObject({ width: 10, height: 9, advance: 10 });
  });

  test('layers of colour are drawn above each other, or by the outline where no colours are wanted', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'layers.ttf');
    const whole = [0, 0, 1_024, 1_024] as const;
    const lower = [0, 0, 1_024, 512] as const;
    const red = [255, 0, 0, 255] as const;
    const faintBlue = [0, 0, 255, 128] as const;
    writeFileSync(file, makeColorFont({ boxes: [whole, whole, lower], colors: [red, faintBlue] }));
    const face = openFile(file);
    const glyph = face.glyphOf(0x41);
    expect(face).toMatchObject({ hasColorGlyphs: true, hasOutlines: true });
    expect([glyph, face.isColorGlyph(glyph), face.isColorGlyph(glyph + 1)]).toEqual([1, true, false]);
    const image = face.rasterize(glyph);
    expect(image).toMatchObject({ format: 'color', width: 16, height: 16, left: 0, top: 16, advance: 16 });
    const rowOf = (row: number) => [...(image?.pixels.subarray(row * 64, row * 64 + 4) ?? [])];
    expect([rowOf(0), rowOf(15)]).toEqual([
      [0, 0, 255, 255],
      [128, 0, 127, 255],
    ]);
    expect(face.rasterize(glyph, { isMonochrome: true })).toMatchObject({
      format: 'alpha',
      pixels: new Uint8Array(256).fill(255),
    });
    expect(face.rasterize(glyph)).toEqual(image);
    face.close();
  });

  test('letters have no colour', () => {
    const face = openFont(source, MONO);
    expect(face.hasColorGlyphs).toBe(false);
    expect(face.isColorGlyph(face.glyphOf(0x41))).toBe(false);
  });
});

describe('drawing', () => {
  test('a scaled outline is one of that size, and the face keeps its own', () => {
    const face = openFont(source, MONO, { size: { pixels: 20 } });
    const half = openFont(source, MONO, { size: { pixels: 10 } });
    const before = face.rasterize(face.glyphOf(0x67));
    expect(face.rasterize(face.glyphOf(0x67), { scale: 0.5 })?.pixels).toEqual(
      half.rasterize(half.glyphOf(0x67))?.pixels,
    );
    expect(face.rasterize(face.glyphOf(0x67))).toEqual(before);
    expect(face.advanceOf(face.glyphOf(0x67))).toBe(12);
  });

  test.each([-1, 1e9, 0.5, Number.NaN])('glyph %s does not exist', (glyph) => {
    const face = openFont(source, MONO);
    expect(face.rasterize(glyph)).toBeUndefined();
    expect(face.advanceOf(glyph)).toBe(0);
  });

  test.each([0, -1, Number.NaN, 1e6])('a scale of %s draws no pixel', (scale) => {
    const face = openFont(source, MONO);
    expect(face.rasterize(face.glyphOf(0x41), { scale })).toBeUndefined();
  });

  test('missing glyphs are 0', () => {
    const face = openFont(source, MONO);
    for (const codePoint of [0x4e00, 0x1f600, 0x10ffff, 0x110000]) expect(face.glyphOf(codePoint)).toBe(0);
  });
});

describe('clusters', () => {
  test.each([
    ['a family joined by ZWJ', [0x1f468, 0x200d, 0x1f469, 0x200d, 0x1f467]],
    ['a flag', [0x1f1e9, 0x1f1ea]],
    ['a flag of tags', [0x1f3f4, 0xe0067, 0xe0062, 0xe0073, 0xe0063, 0xe0074, 0xe007f]],
    ['a skin tone', [0x1f44d, 0x1f3fd]],
    ['a keycap', [0x31, 0xfe0f, 0x20e3]],
    ['a heart with emoji presentation', [0x2764, 0xfe0f]],
  ])('%s is one glyph', (_, codePoints) => {
    const face = openFont(source, EMOJI);
    const shaped = face.shape(codePoints);
    expect(shaped).toHaveLength(1);
    expect(shaped?.[0]?.glyph).toBeGreaterThan(0);
    expect(face.isColorGlyph(shaped?.[0]?.glyph ?? 0)).toBe(true);
  });

  test('a letter and a mark become the letter with the mark where the face has it, else two glyphs above each other', () => {
    const face = openFont(source, MONO);
    expect(face.shape([0x65, 0x301])).toEqual([{ glyph: face.glyphOf(0xe9), x: 0, y: 0 }]);
    const sans = openFont(source, 'DejaVu Sans', { size: { pixels: 40 } });
    const [letter, mark] = sans.shape([0x78, 0x301]) ?? [];
    expect(letter).toEqual({ glyph: sans.glyphOf(0x78), x: 0, y: 0 });
    expect(mark?.x).toBeLessThan(sans.advanceOf(letter?.glyph ?? 0));
  });

  test('one code point is its glyph, in its variant where it has one', () => {
    const face = openFont(source, MONO);
    expect(face.shape([0x41])).toEqual([{ glyph: face.glyphOf(0x41), x: 0, y: 0 }]);
    expect(face.shape([0x41, 0xfe0e])).toEqual([{ glyph: face.glyphOf(0x41), x: 0, y: 0 }]);
  });

  test('a cluster with a character that the face lacks, an empty one and one without end are not shaped', () => {
    const face = openFont(source, MONO);
    expect(face.shape([0x4e00])).toBeUndefined();
    expect(face.shape([0x41, 0x4e00])).toBeUndefined();
    expect(face.shape([])).toBeUndefined();
    expect(face.shape(Array.from({ length: 1_000 }, () => 0x301))).toBeUndefined();
  });
});

test.each([
  ['a second mark', '\u1ea1\u0308'],
  ['a mark on a digit', '1\u0308'],
  ['a line below that the face does not call a mark', 'x\u0332'],
  ['a mark for which there is a place', 'x\u0302'],
])('%s is drawn over its character, and not beside it', (_, text) => {
  const face = openFont(source, MONO);
  const glyphs = face.shape(Array.from(text, (character) => character.codePointAt(0) ?? 0));
  face.close();
  expect(glyphs?.map(({ x }) => Math.round(x))).toEqual([0, 0]);
});
