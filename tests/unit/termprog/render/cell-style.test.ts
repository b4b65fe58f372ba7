import { expect, test } from 'vitest';
import type { Screen } from 'x11';
import { ATTRIBUTE, COLOR_INDEXED, COLOR_RGB } from '../../../../src/termprog/engine/engine.ts';
import { StyleResolver } from '../../../../src/termprog/render/cell-style.ts';
import { Palette } from '../../../../src/termprog/render/palette.ts';

const rgb = (number: number) => ({ red: number >> 16, green: (number >> 8) & 0xff, blue: number & 0xff });
const ansi = Array.from({ length: 16 }, (_, index) => rgb(0x010101 * (index + 1)));

function screen(red: number, green: number, blue: number): Screen {
  const visual = { red_mask: red, green_mask: green, blue_mask: blue };
  return { root_depth: 24, root_visual: 33, depths: { 24: { 33: visual } } } as unknown as Screen;
}
const colors = { foreground: rgb(0x112233), background: rgb(0xffeedd), ansi };
const palette = new Palette(screen(0xff0000, 0xff00, 0xff), colors);
const resolve = (foreground: number, background: number, attributes: number, boldIsBright = true) =>
  new StyleResolver(palette, { boldIsBright }).resolve(foreground, background, attributes);

test('the default colours are those configured', () => {
  expect(resolve(0, 0, 0)).toMatchObject({ foreground: 0x112233, background: 0xffeedd });
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
    expect(resolve(COLOR_INDEXED | index, 0, 0).foreground).toBe(color);
  });
}

test('bold brightens the first eight colours only, and only where that is asked for', () => {
  const { bold } = ATTRIBUTE;
  expect(resolve(COLOR_INDEXED | 1, 0, bold).foreground).toBe(0x0a0a0a);
  expect(resolve(COLOR_INDEXED | 1, 0, bold, false).foreground).toBe(0x020202);
  expect(resolve(COLOR_INDEXED | 9, 0, bold).foreground).toBe(0x0a0a0a);
  expect(resolve(COLOR_RGB | 1, 0, bold).foreground).toBe(1);
  expect(resolve(0, COLOR_INDEXED | 1, bold).background).toBe(0x020202);
});

test('inverse swaps, invisible hides, dim keeps two thirds', () => {
  expect(resolve(0, 0, ATTRIBUTE.inverse)).toMatchObject({ foreground: 0xffeedd, background: 0x112233 });
  expect(resolve(0, 0, ATTRIBUTE.invisible).foreground).toBe(0xffeedd);
  expect(resolve(0, 0, ATTRIBUTE.invisible | ATTRIBUTE.inverse).foreground).toBe(0x112233);
  expect(resolve(COLOR_RGB | 0x306090, 0, ATTRIBUTE.dim).foreground).toBe(0x204060);
});

test('channels lie where the visual wants them', () => {
  expect(new Palette(screen(0xff, 0xff00, 0xff0000), colors).pixel(rgb(0x112233))).toBe(0x332211);
  expect(new Palette(screen(0xf800, 0x7e0, 0x1f), colors).pixel(rgb(0xff8040))).toBe(0xfc08);
  expect(new Palette(screen(0x3ff00000, 0xffc00, 0x3ff), colors).pixel(rgb(0xff0000))).toBe(0x3fc00000);
});
