import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FaceUnavailableError } from '../../../src/termprog/errors.ts';
import type { Face, GlyphImage } from '../../../src/termprog/fonts/outline/face.ts';
import { splitEntries } from '../../../src/termprog/fonts/outline/face-name.ts';
import type { OpenFaceSource } from '../../../src/termprog/fonts/outline/open-face-source.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { openFile, openSource } from '../../unit/termprog/fonts/outline/open-fonts.ts';

let source: OpenFaceSource;

beforeAll(() => {
  source = openSource();
});
afterAll(() => source.close());

const word = fc.constantFrom(
  ...[
    'DejaVu Sans Mono',
    'Noto Color Emoji',
    'mono',
    ':',
    ',',
    '-',
    '=',
    '\\',
    'size=',
    'pixelsize=',
    '11',
    '1e9',
    '-3',
  ],
  ...[
    'bold',
    'italic',
    'matrix=',
    '1 0 0 1',
    '0 0 0 0',
    'antialias=false',
    'rgba=rgb',
    'charwidth=9',
    'weight=',
    '[1 9]',
  ],
  ...['index=', 'file=/dev/zero', 'lang=', 'charset=', '20-7e', 'spacing=100', 'dpi=', 'scale=', 'aspect=2', 'é', '\n'],
);
const pattern = fc.oneof(
  fc.array(word, { maxLength: 12 }).map((words) => words.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

test('any pattern has a face that can be drawn with, or none', () => {
  fc.assert(
    fc.property(pattern, fc.boolean(), (text, isBold) => {
      expect(splitEntries(text).every((entry) => entry !== '' && entry.trim() === entry)).toBe(true);
      const request = { pattern: text, size: { points: 11 }, isBold, isItalic: !isBold, isPrimary: isBold };
      const candidate = source.match(request);
      if (candidate !== undefined) tryOut(() => candidate.open());
    }),
    { numRuns: fuzzRuns(1_000) },
  );
});

const damage = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    byte: fc.integer({ min: 0, max: 255 }),
    isNear: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
);

/** Bytes of a font's tables of contents and of the tables that stand first. */
const BEGINNING_BYTES = 4_000;

test.each(['DejaVu Sans Mono', 'Noto Color Emoji'])(
  'a damaged file of %s draws whole pictures, or none',
  async (family) => {
    await using folder = await tempFolder();
    const found = source.match({ pattern: family, size: { points: 11 }, isBold: false, isItalic: false });
    const bytes = readFileSync(found?.file ?? '');
    const file = join(folder.path, 'damaged');
    fc.assert(
      fc.property(damage, fc.boolean(), fc.integer({ min: 0, max: 3 }), (changes, isShort, hintStyle) => {
        const damaged = Uint8Array.from(bytes);
        for (const { at, byte, isNear } of changes)
          damaged[Math.floor(at * (isNear ? BEGINNING_BYTES : bytes.length - 1))] = byte;
        writeFileSync(file, isShort ? damaged.subarray(0, Math.floor(bytes.length * (changes[0]?.at ?? 1))) : damaged);
        tryOut(() => openFile(file, { hintStyle }));
      }),
      { numRuns: fuzzRuns(300) },
    );
  },
);

/** Opens it if possible and draws a few glyphs; each drawn glyph is whole. */
function tryOut(open: () => Face): void {
  let face: Face;
  try {
    face = open();
  } catch (error) {
    expect(error).toBeInstanceOf(FaceUnavailableError);
    return;
  }
  for (const value of Object.values(face.metrics)) expect(Number.isInteger(value)).toBe(true);
  for (const codePoint of [0x41, 0x67, 0x416, 0x1f600]) {
    const glyph = face.glyphOf(codePoint);
    expectWhole(face.rasterize(glyph));
    expectWhole(face.rasterize(glyph, { scale: 0.7, embolden: true }));
    expect(Number.isFinite(face.advanceOf(glyph))).toBe(true);
    face.isColorGlyph(glyph);
  }
  face.shape([0x65, 0x301]);
  face.close();
}

function expectWhole(image: GlyphImage | undefined): void {
  if (image === undefined) return;
  expect(image.pixels.length).toBe(image.width * image.height * (image.format === 'alpha' ? 1 : 4));
  for (const place of [image.left, image.top, image.advance]) expect(Number.isInteger(place)).toBe(true);
}
