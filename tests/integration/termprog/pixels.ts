import type { PNG } from 'pngjs';

const WHITE = 0xffffff;

function colorAt({ data }: PNG, pixel: number): number {
  const at = pixel * 4;
  return ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
}

/** Pixels that are not white in either picture, and how many of them are equal. */
export function compareInk(one: PNG, other: PNG): { inked: number; equal: number } {
  if (one.width !== other.width || one.height !== other.height) {
    throw new Error(`sizes differ: ${one.width}x${one.height} and ${other.width}x${other.height}`);
  }
  let inked = 0;
  let equal = 0;
  for (let pixel = 0; pixel < one.width * one.height; pixel += 1) {
    const [left, right] = [colorAt(one, pixel), colorAt(other, pixel)];
    if (left === WHITE && right === WHITE) continue;
    inked += 1;
    if (left === right) equal += 1;
  }
  return { inked, equal };
}

/** How many pixels have a colour, as 0xrrggbb. */
export function countColor(picture: PNG, color: number): number {
  let count = 0;
  for (let pixel = 0; pixel < picture.width * picture.height; pixel += 1) {
    if (colorAt(picture, pixel) === color) count += 1;
  }
  return count;
}
