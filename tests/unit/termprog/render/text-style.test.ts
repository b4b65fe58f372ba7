import { expect, test } from 'vitest';
import {
  BLINK,
  BOLD,
  COLOR_INDEXED,
  COLOR_RGB,
  DIM,
  INVERSE,
  INVISIBLE,
  UNDERLINE,
  UNDERLINE_SHIFT,
} from '../../../../src/termprog/engine/cell.ts';
import { Palette } from '../../../../src/termprog/render/palette.ts';
import { TextStyle } from '../../../../src/termprog/render/text-style.ts';
import { visualOf } from './visual-of.ts';

const rgb = (number: number) => ({ red: number >> 16, green: (number >> 8) & 0xff, blue: number & 0xff });
const ansi = Array.from({ length: 16 }, (_, index) => rgb(0x010101 * (index + 1)));

const colors = { foreground: rgb(0x112233), background: rgb(0xffeedd), ansi };
const newPalette = (): Palette => new Palette(visualOf(0xff0000, 0xff00, 0xff), colors);

function resolve(foreground: number, background: number, boldIsBright = true): TextStyle {
  const style = new TextStyle(newPalette(), boldIsBright);
  style.take(foreground, background, 0);
  return style;
}

test('the default colours are those configured', () => {
  expect(resolve(0, 0)).toMatchObject({ foreground: 0x112233, background: 0xffeedd });
});

for (const [index, color] of [
  [16, 0x000000],
  [21, 0x0000ff],
  [208, 0xff8700],
  [231, 0xffffff],
  [232, 0x080808],
  [255, 0xeeeeee],
] as const) {
  test(`palette entry ${index} is #${color.toString(16).padStart(6, '0')}`, () => {
    expect(resolve(COLOR_INDEXED | index, 0).foreground).toBe(color);
  });
}

test('bold brightens only the first eight colours, and only if configured', () => {
  expect(resolve(COLOR_INDEXED | 1 | BOLD, 0).foreground).toBe(0x0a0a0a);
  expect(resolve(COLOR_INDEXED | 1 | BOLD, 0, false).foreground).toBe(0x020202);
  expect(resolve(COLOR_INDEXED | 9 | BOLD, 0).foreground).toBe(0x0a0a0a);
  expect(resolve(COLOR_RGB | 1 | BOLD, 0).foreground).toBe(1);
  expect(resolve(BOLD, COLOR_INDEXED | 1).background).toBe(0x020202);
});

test('inverse swaps, invisible hides, dim keeps two thirds', () => {
  expect(resolve(INVERSE, 0)).toMatchObject({ foreground: 0xffeedd, background: 0x112233 });
  expect(resolve(INVISIBLE, 0).foreground).toBe(0xffeedd);
  expect(resolve(INVISIBLE | INVERSE, 0).foreground).toBe(0x112233);
  expect(resolve(COLOR_RGB | 0x306090 | DIM, 0).foreground).toBe(0x204060);
  // The level is not 88 hexadecimal: the X server has 16 bits for a level, and those are multiplied.
  expect(resolve(COLOR_RGB | 0xcd0000 | DIM, 0).foreground).toBe(0x890000);
});

test('an underline of any style is drawn, in its own colour where it has one', () => {
  const style = new TextStyle(newPalette(), true);
  for (const kind of [UNDERLINE.single, UNDERLINE.double, UNDERLINE.curly, UNDERLINE.dotted, UNDERLINE.dashed]) {
    style.take(0, (kind << UNDERLINE_SHIFT) | 0, 0);
    expect(style).toMatchObject({ hasLines: true, underline: kind, lineColor: 0x112233 });
  }
  style.take(0, UNDERLINE.curly << UNDERLINE_SHIFT, COLOR_INDEXED | 208);
  expect(style.lineColor).toBe(0xff8700);
  style.take(INVISIBLE, UNDERLINE.curly << UNDERLINE_SHIFT, COLOR_INDEXED | 208);
  expect(style.lineColor).toBe(0xffeedd);
});

test('a style is worked out again once it was forgotten', () => {
  const palette = newPalette();
  const style = new TextStyle(palette, true);
  style.take(COLOR_INDEXED | 200, 0, 0);
  palette.change({ entries: new Map([[200, rgb(0x010203)]]) });

  style.forget();
  style.take(COLOR_INDEXED | 200, 0, 0);

  expect(style.foreground).toBe(0x010203);
});

test('the cursor has a colour of its own only where it was given one', () => {
  const palette = newPalette();
  expect(palette.cursor).toBeUndefined();
  palette.change({ cursor: rgb(0x00ff00) });
  expect(palette.cursor).toBe(0x00ff00);
  palette.change({ cursor: undefined });
  expect(palette.cursor).toBeUndefined();
});

test('a reversed screen also swaps black with white, if configured', () => {
  const palette = newPalette();
  const entry = (index: number): number => palette.colorOf(COLOR_INDEXED | index, 0);
  palette.reverse(true, true);
  expect([0, 1, 7, 8, 15].map(entry)).toEqual([0x080808, 0x020202, 0x010101, 0x101010, 0x090909]);
  palette.reverse(true, false);
  expect([0, 1, 7, 8, 15].map(entry)).toEqual([0x010101, 0x020202, 0x080808, 0x090909, 0x101010]);
});

test('text that blinks has the colour of its background in its dark phase, and so have its lines', () => {
  const style = new TextStyle(newPalette(), true);
  style.hidesBlinking = true;
  style.take(BLINK | COLOR_INDEXED | 1, (UNDERLINE.single << UNDERLINE_SHIFT) | COLOR_INDEXED | 2, COLOR_INDEXED | 208);
  expect(style).toMatchObject({ foreground: 0x030303, background: 0x030303, lineColor: 0x030303, isHidden: true });
  style.take(COLOR_INDEXED | 1, COLOR_INDEXED | 2, 0);
  expect(style).toMatchObject({ foreground: 0x020202, isHidden: false });
});

test('only the default background is translucent', () => {
  const palette = new Palette(visualOf(0xff0000, 0xff00, 0xff, 0xff00_0000), colors);
  palette.setOpacity(0.5);
  const style = new TextStyle(palette, true);
  style.take(0, 0, 0);
  expect(style).toMatchObject({ foreground: 0xff112233, background: 0x8080776f, opaqueBackground: 0xffffeedd });
  style.take(0, COLOR_RGB | 0xffeedd, 0);
  expect(style.background).toBe(0xffffeedd);
  style.take(INVERSE, 0, 0);
  expect(style).toMatchObject({ foreground: 0xffffeedd, background: 0xff112233 });
  palette.reverse(true, false);
  style.forget();
  style.take(0, 0, 0);
  expect(style).toMatchObject({ foreground: 0xffffeedd, background: 0x8009111a });
});
