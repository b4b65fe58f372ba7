import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Box, makeColorFont } from '../../../../harness/made-font.ts';
import { makePictureFont } from '../../../../harness/made-picture-font.ts';
import { tempFolder } from '../../../../harness/temp-folder.ts';
import { openFile } from './open-fonts.ts';

/** A bitmap font of one size in pixels, whose A is a black square. */
function bitmapFont(size: number, side: number): string {
  const row = 'ff'.repeat(Math.ceil(side / 8));
  return [
    ...['STARTFONT 2.1', 'FONT made', `SIZE ${size} 72 72`, `FONTBOUNDINGBOX ${side} ${side} 0 0`],
    ...['STARTPROPERTIES 3', `PIXEL_SIZE ${size}`, `FONT_ASCENT ${size}`, 'FONT_DESCENT 0', 'ENDPROPERTIES', 'CHARS 1'],
    ...['STARTCHAR A', 'ENCODING 65', 'SWIDTH 500 0', `DWIDTH ${side} 0`, `BBX ${side} ${side} 0 0`, 'BITMAP'],
    ...[...Array.from({ length: side }, () => row), 'ENDCHAR', 'ENDFONT', ''],
  ].join('\n');
}

const WIDER = { xx: 1.5, xy: 0, yx: 0, yy: 1 };

test('an outline that is far longer than text is not drawn', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'made.ttf');
  const draw = (...box: [number, number, number, number]) => {
    writeFileSync(file, makeColorFont({ boxes: [box], colors: [] }));
    const face = openFile(file);
    const image = face.rasterize(face.glyphOf(0x41));
    face.close();
    return image && [image.width, image.height];
  };

  expect(draw(0, 0, 1_024, 1_024)).toEqual([16, 16]);
  // The widest ligatures are less than 20 times as wide as they are high.
  expect(draw(0, 0, 20_480, 1_024)).toEqual([320, 16]);
  expect(draw(0, -16_000, 64, 16_000)).toBeUndefined();
  expect(draw(-16_000, 0, 16_000, 64)).toBeUndefined();
});

test('a glyph whose layers of colour are far larger than itself, or thousands, is drawn without them', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'made.ttf');
  const draw = (layer: Box, layers: number) => {
    const boxes: Box[] = [[0, 0, 1_024, 1_024], ...Array.from({ length: layers }, () => layer)];
    writeFileSync(file, makeColorFont({ boxes, colors: Array.from({ length: layers }, () => [255, 0, 0, 255]) }));
    const face = openFile(file, { pixelSize: 128 });
    const image = face.rasterize(face.glyphOf(0x41));
    face.close();
    return image && [image.format, image.width, image.height];
  };

  expect(draw([0, 0, 1_024, 1_024], 3)).toEqual(['color', 128, 128]);
  expect(draw([0, 0, 1_024, 1_024], 3_000)).toEqual(['alpha', 128, 128]);
  expect(draw([0, 0, 32_767, 32_767], 1)).toEqual(['alpha', 128, 128]);
});

test('a picture that would become too large is not drawn larger', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'made.bdf');
  writeFileSync(file, bitmapFont(1, 600));
  const face = openFile(file, { pixelSize: 512, matrix: WIDER });

  expect(face.rasterize(face.glyphOf(0x41))).toBeUndefined();
  face.close();
});

test('a picture that says to be huge is measured, and never decoded', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'made.ttf');
  const draw = (side: number, hasPixels: boolean) => {
    writeFileSync(file, makePictureFont({ size: 16, side, hasPixels }));
    const face = openFile(file);
    const glyph = face.glyphOf(0x41);
    const image = { advance: face.advanceOf(glyph), isColor: face.isColorGlyph(glyph), drawn: face.rasterize(glyph) };
    face.close();
    return image;
  };
  const peakKib = () => process.resourceUsage().maxRSS;
  const before = peakKib();

  expect(draw(40, true)).toMatchObject({
    advance: 16,
    isColor: true,
    drawn: { format: 'color', width: 40, height: 40 },
  });
  // The decoded picture would be a GiB.
  expect(draw(16_384, false)).toEqual({ advance: 16, isColor: true, drawn: undefined });
  expect(peakKib() - before).toBeLessThan(262_144);
});

test('pictures of no size are none', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'made.bdf');
  writeFileSync(file, bitmapFont(0, 8));

  expect(() => openFile(file, { matrix: WIDER })).toThrow(/has neither outlines nor pictures$/);
});

test('a pipe is refused without waiting for a writer', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'pipe.ttf');
  execFileSync('mkfifo', [file]);

  expect(() => openFile(file)).toThrow(`the font file ${file} can't be read: it is a pipe`);
});
