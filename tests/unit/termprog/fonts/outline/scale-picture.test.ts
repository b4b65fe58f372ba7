import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scalePicture } from '../../../../../src/termprog/fonts/outline/scale-picture.ts';
import { fuzzRuns } from '../../../../harness/fuzz-runs.ts';

test('four pixels become their mean', () => {
  const picture = { width: 2, height: 2, channels: 1, pixels: Uint8Array.of(0, 100, 50, 250) } as const;

  expect(scalePicture(picture, 1, 1).pixels).toEqual(Uint8Array.of(100));
});

test('a pixel that lies in two new ones is shared by how much of it lies in each', () => {
  const picture = { width: 3, height: 1, channels: 1, pixels: Uint8Array.of(0, 150, 255) } as const;

  expect(scalePicture(picture, 2, 1).pixels).toEqual(Uint8Array.of(50, 220));
});

test('colours stay apart', () => {
  const pixels = Uint8Array.of(10, 0, 200, 255, 30, 0, 100, 255);

  expect(scalePicture({ width: 2, height: 1, channels: 4, pixels }, 1, 1).pixels).toEqual(
    Uint8Array.of(20, 0, 150, 255),
  );
});

test('a picture of one colour has no other at any size, and none is brighter than its alpha', () => {
  const side = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(
      side,
      side,
      side,
      side,
      fc.integer({ min: 0, max: 255 }),
      (width, height, newWidth, newHeight, value) => {
        const pixels = new Uint8Array(width * height).fill(value);
        const scaled = scalePicture({ width, height, channels: 1, pixels }, newWidth, newHeight);
        expect(scaled).toMatchObject({ width: newWidth, height: newHeight });
        expect(scaled.pixels).toEqual(new Uint8Array(newWidth * newHeight).fill(value));
      },
    ),
    { numRuns: fuzzRuns(500) },
  );
});
