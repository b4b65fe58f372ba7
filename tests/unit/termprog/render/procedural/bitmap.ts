import { rectanglesOf } from '../../../../../src/termprog/render/procedural/pictures.ts';
import type { CellSize } from '../../../../../src/termprog/render/rectangle.ts';

/** Pixels of a glyph, row by row. */
export type Bitmap = boolean[][];

export function draw(character: number | string, cell: CellSize, isBold = false): Bitmap {
  const codePoint = typeof character === 'string' ? (character.codePointAt(0) ?? 0) : character;
  const pixels = Array.from({ length: cell.height }, () => Array.from({ length: cell.width }, () => false));
  for (const { x, y, width, height } of rectanglesOf(codePoint, cell, isBold) ?? []) {
    for (let row = y; row < y + height; row += 1) pixels[row]?.fill(true, x, x + width);
  }
  return pixels;
}

export const count = (pixels: Bitmap): number => pixels.flat().filter(Boolean).length;
export const column = (pixels: Bitmap, x: number): boolean[] => pixels.map((row) => row.at(x) === true);
export const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Rows as text, for small pictures in tests. */
export const text = (pixels: Bitmap): string[] => pixels.map((row) => row.map((lit) => (lit ? '#' : '.')).join(''));

/** Returns the number of pieces that the ink is in; pixels that touch at a corner are one piece. */
export function pieces(pixels: Bitmap): number {
  const left = pixels.map((row) => [...row]);
  let found = 0;
  for (let y = 0; y < left.length; y += 1) {
    for (let x = 0; x < (left[y]?.length ?? 0); x += 1) {
      if (left[y]?.[x] !== true) continue;
      found += 1;
      erase(left, x, y);
    }
  }
  return found;
}

function erase(pixels: Bitmap, startX: number, startY: number): void {
  const waiting = [[startX, startY] as const];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [x, y] = next;
    if (pixels[y]?.[x] !== true) continue;
    pixels[y][x] = false;
    for (const dy of [-1, 0, 1]) for (const dx of [-1, 0, 1]) waiting.push([x + dx, y + dy]);
  }
}
