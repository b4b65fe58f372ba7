import { expect, test } from 'vitest';
import { pixelValues } from '../../../../src/termprog/render/pixel-values.ts';
import { visualOf } from './visual-of.ts';

const argb = pixelValues(visualOf(0xff0000, 0xff00, 0xff, 0xff00_0000));

test('channels lie where the visual wants them', () => {
  expect(pixelValues(visualOf(0xff, 0xff00, 0xff0000)).opaque(0x112233)).toBe(0x332211);
  expect(pixelValues(visualOf(0xf800, 0x7e0, 0x1f)).opaque(0xff8040)).toBe(0xfc08);
  expect(pixelValues(visualOf(0x3ff00000, 0xffc00, 0x3ff)).opaque(0xff0000)).toBe(0x3ff00000);
});

test('more than eight bits a channel have the same white and the same steps as in the reference terminal', () => {
  const deep = pixelValues(visualOf(0x3ff00000, 0xffc00, 0x3ff));

  expect(deep.opaque(0xffffff)).toBe(0x3fffffff);
  expect(deep.opaque(0xcd00ee)).toBe(0x337003bb);
  expect(deep.opaque(0)).toBe(0);
});

test('a pixel with alpha is opaque unless asked otherwise', () => {
  expect(argb.opaque(0x112233)).toBe(0xff112233);
});

for (const [opacity, pixel] of [
  [1, 0xffff8000],
  [0.5, 0x80804000],
  [0.2, 0x33331a00],
  [0, 0],
] as const) {
  test(`a colour with an opacity of ${opacity} is multiplied by it`, () => {
    expect(argb.translucent(0xff8000, opacity)).toBe(pixel);
  });
}

test('without alpha every colour is opaque', () => {
  expect(pixelValues(visualOf(0xff0000, 0xff00, 0xff)).translucent(0xff8000, 0.5)).toBe(0xff8000);
});
