import { expect, test } from 'vitest';
import { PIXEL_MODE } from '../../../../../src/termprog/fonts/outline/freetype.ts';
import { readPicture } from '../../../../../src/termprog/fonts/outline/glyph-picture.ts';

interface Drawn {
  rows: number;
  columns: number;
  pitch: number;
  mode: number;
  memory: number[];
  /** Address of the first row. */
  address?: number;
  isBlueFirst?: boolean;
}

/** Pixels of a picture that lies in memory. */
function read({ memory, address = 0, isBlueFirst = false, ...picture }: Drawn) {
  const bytes = Uint8Array.from(memory);
  const copy = (start: number, length: number): Uint8Array => bytes.slice(start, start + length);
  return readPicture({ ...picture, address, left: 0, top: 0 }, { isBlueFirst, copy });
}

test('bits become full coverage or none', () => {
  const drawn = read({
    rows: 2,
    columns: 10,
    pitch: 2,
    mode: PIXEL_MODE.mono,
    memory: [0b10000001, 0b01000000, 0, 0b10000000],
  });

  expect(drawn).toMatchObject({ format: 'alpha', width: 10, height: 2 });
  expect([...(drawn?.pixels ?? [])].map((value) => (value === 255 ? 1 : value))).toEqual([
    ...[1, 0, 0, 0, 0, 0, 0, 1, 0, 1],
    ...[0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
  ]);
});

test('rows lose their padding, and stand in order when they go upwards in memory', () => {
  const memory = [1, 2, 9, 3, 4, 9];

  expect(read({ rows: 2, columns: 2, pitch: 3, mode: PIXEL_MODE.gray, memory })?.pixels).toEqual(
    Uint8Array.of(1, 2, 3, 4),
  );
  expect(read({ rows: 2, columns: 2, pitch: -3, mode: PIXEL_MODE.gray, memory, address: 3 })?.pixels).toEqual(
    Uint8Array.of(3, 4, 1, 2),
  );
});

test('coverages of colours become pixels whose alpha is the largest', () => {
  const picture = { rows: 1, columns: 6, pitch: 8, mode: PIXEL_MODE.lcd, memory: [1, 2, 3, 4, 5, 6, 0, 0] };

  expect(read(picture)).toEqual({
    format: 'subpixel',
    width: 2,
    height: 1,
    pixels: Uint8Array.of(3, 2, 1, 3, 6, 5, 4, 6),
  });
  expect(read({ ...picture, isBlueFirst: true })?.pixels).toEqual(Uint8Array.of(1, 2, 3, 3, 4, 5, 6, 6));
});

test('coverages of colours may lie below each other', () => {
  const picture = { rows: 3, columns: 2, pitch: 2, mode: PIXEL_MODE.lcdVertical, memory: [1, 4, 2, 5, 3, 6] };

  expect(read(picture)).toEqual({
    format: 'subpixel',
    width: 2,
    height: 1,
    pixels: Uint8Array.of(3, 2, 1, 3, 6, 5, 4, 6),
  });
  expect(read({ ...picture, pitch: -2, address: 4 })?.pixels).toEqual(Uint8Array.of(1, 2, 3, 3, 4, 5, 6, 6));
});

test('colours are taken as they are', () => {
  const memory = [1, 2, 3, 4, 5, 6, 7, 8];

  expect(read({ rows: 2, columns: 1, pitch: 4, mode: PIXEL_MODE.bgra, memory })).toEqual({
    format: 'color',
    width: 1,
    height: 2,
    pixels: Uint8Array.from(memory),
  });
});

test('a blank has no pixels', () => {
  expect(read({ rows: 0, columns: 0, pitch: 0, mode: PIXEL_MODE.gray, memory: [] })).toMatchObject({
    width: 0,
    height: 0,
  });
});

test('rows that are longer than their distance, and modes that are not known, are refused', () => {
  expect(read({ rows: 1, columns: 9, pitch: 8, mode: PIXEL_MODE.gray, memory: [] })).toBeUndefined();
  expect(read({ rows: 1, columns: 1, pitch: 1, mode: 3, memory: [0] })).toBeUndefined();
});
