import { expect, test } from 'vitest';
import type { Face, GlyphImage } from '../../../../src/termprog/fonts/outline/face.ts';
import type { FaceRoute } from '../../../../src/termprog/fonts/routing/route.ts';
import { drawCluster } from '../../../../src/termprog/render/cluster-image.ts';

const METRICS = { cell: { width: 4, height: 6 }, ascent: 4, descent: 2 };

type Drawn = Pick<GlyphImage, 'format' | 'width' | 'height' | 'left' | 'top'> & { pixels: readonly number[] };

const square = (left: number, top: number, level: number): Drawn => ({
  format: 'alpha',
  width: 2,
  height: 2,
  left,
  top,
  pixels: [level, level, level, level],
});

test('a single glyph inside of its cell is its own picture', () => {
  expect(drawCluster([routeTo([square(1, 3, 200)])], 1, METRICS)).toMatchObject({
    ...square(1, 3, 200),
    pixels: { 0: 200 },
  });
});

test('coverage of glyphs is added up, up to all of it', () => {
  const drawn = drawCluster([routeTo([square(0, 2, 100), { ...square(0, 2, 200), x: 1 }])], 1, METRICS);

  expect(drawn).toMatchObject({ width: 3, height: 2, left: 0, top: 2 });
  expect([...(drawn?.pixels ?? [])]).toEqual([100, 255, 200, 100, 255, 200]);
});

test('colours of glyphs lie over each other', () => {
  const pixel = (...pixels: number[]): Drawn => ({ format: 'color', width: 1, height: 1, left: 0, top: 1, pixels });
  const drawn = drawCluster([routeTo([pixel(0, 0, 255, 255), pixel(128, 0, 0, 128)])], 1, METRICS);

  expect([...(drawn?.pixels ?? [])]).toEqual([128, 0, 127, 255]);
});

test('glyphs are placed by the scale of the route, downwards', () => {
  const drawn = drawCluster([routeTo([{ ...square(0, 2, 9), x: 2, y: 4 }], 0.5)], 1, METRICS);

  expect(drawn).toMatchObject({ left: 1, top: 0 });
});

test('a picture is cut to the rows of its cell, and to the cells beside it', () => {
  const huge: Drawn = {
    format: 'alpha',
    width: 30,
    height: 20,
    left: -10,
    top: 10,
    pixels: Array<number>(600).fill(7),
  };

  expect(drawCluster([routeTo([huge])], 1, METRICS)).toMatchObject({ left: -4, width: 12, top: 4, height: 6 });
  expect(drawCluster([routeTo([{ ...huge, top: 40 }])], 1, METRICS)).toMatchObject({ width: 0, height: 0 });
});

test('a glyph that can not be drawn is none of a cluster', () => {
  const route = routeTo([square(0, 2, 9)]);

  expect(drawCluster([{ ...route, glyphs: [{ glyph: 5, x: 0, y: 0 }] }], 1, METRICS)).toBeUndefined();
});

test('glyphs that a damaged font places far apart take no more room than the cells', () => {
  const far = { ...square(0, 3, 200), x: 3_000_000, y: -3_000_000 };
  expect(drawCluster([routeTo([{ ...square(1, 3, 200) }, far])], 1, METRICS)).toMatchObject({
    ...square(1, 3, 200),
    pixels: { 0: 200 },
  });
});

/** A route to a face with these glyphs, each at its place. */
function routeTo(glyphs: readonly (Drawn & { x?: number; y?: number })[], scale = 1): FaceRoute {
  const rasterize = (glyph: number): GlyphImage | undefined => {
    const drawn = glyphs[glyph];
    return drawn && { ...drawn, advance: 4, pixels: Uint8Array.from(drawn.pixels) };
  };
  return {
    kind: 'face',
    face: { rasterize } as unknown as Face,
    glyphs: glyphs.map(({ x = 0, y = 0 }, glyph) => ({ glyph, x, y })),
    scale,
    isColor: true,
    role: 'primary',
  };
}
