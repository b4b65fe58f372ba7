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

/** Returns the number of pixels that have a colour, as 0xrrggbb. */
export function countColor(picture: PNG, color: number): number {
  let count = 0;
  for (let pixel = 0; pixel < picture.width * picture.height; pixel += 1) {
    if (colorAt(picture, pixel) === color) count += 1;
  }
  return count;
}

/** Returns the smallest rectangle around all pixels of a colour; undefined when it has no pixels. */
export function boundsOf(
  picture: PNG,
  color: number,
): { x: number; y: number; width: number; height: number } | undefined {
  const { width } = picture;
  const found = Array.from({ length: width * picture.height }, (_, pixel) => pixel).filter(
    (pixel) => colorAt(picture, pixel) === color,
  );
  if (found.length === 0) return undefined;
  const columns = found.map((pixel) => pixel % width);
  const rows = found.map((pixel) => Math.floor(pixel / width));
  const [left, top] = [Math.min(...columns), Math.min(...rows)];
  return { x: left, y: top, width: Math.max(...columns) - left + 1, height: Math.max(...rows) - top + 1 };
}
