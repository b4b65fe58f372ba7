import { expect, test } from 'vitest';
import { createArgbVisual, usualVisual } from '../../../../src/termprog/x11/window-visual.ts';

const TRUE_COLOR = 4;

const typeOf = (red_mask: number, green_mask: number, blue_mask: number) => ({
  class: TRUE_COLOR,
  red_mask,
  green_mask,
  blue_mask,
});
const WHOLE = typeOf(0xff0000, 0xff00, 0xff);
const EMPTY = typeOf(0, 0, 0);
const RED = typeOf(0xff0000, 0, 0);

/** A screen with these visuals, whose windows have the one with the number 1. */
function screenOf(root_depth: number, depths: Record<number, Record<number, typeof WHOLE>>) {
  const [pixel_width, pixel_height, mm_width, mm_height] = [800, 600, 200, 150];
  const screen = { root: 9, root_visual: 1, root_depth, depths, default_colormap: 8, white_pixel: 1, black_pixel: 0 };
  return {
    client: { AllocID: () => 77, CreateColormap: () => {} },
    screen: { ...screen, pixel_width, pixel_height, mm_width, mm_height },
  };
}

test('a visual of 32 bits without bits for each colour is not translucent', () => {
  const visuals = { 24: { 1: WHOLE }, 32: { 2: EMPTY, 3: RED } };

  expect(createArgbVisual(screenOf(24, visuals))).toBeUndefined();
  expect(createArgbVisual(screenOf(24, { ...visuals, 32: { ...visuals[32], 4: WHOLE } }))).toMatchObject({
    id: 4,
    alphaMask: 0xff000000,
  });
});

test('a visual without bits for each colour is passed over on screens of other kinds, too', () => {
  expect(usualVisual(screenOf(16, { 16: { 1: RED, 2: EMPTY }, 24: { 3: EMPTY, 4: WHOLE } }))).toMatchObject({
    id: 4,
    depth: 24,
    colormap: 77,
  });
  expect(usualVisual(screenOf(16, { 16: { 1: EMPTY }, 24: { 3: RED } }))).toBeUndefined();
});
