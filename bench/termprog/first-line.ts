import type { Area } from './desktop.ts';

/** Area in which a terminal at the corner of the screen shows its first text. */
export const firstLine: Area = { x: 0, y: 0, width: 70, height: 16 };

/** Bytes of a pixel in an image of the X server. */
const BYTES_PER_PIXEL = 4;

/** Whether there is text: the screen without a terminal has one colour, and so has a terminal before its first text. */
export function hasText(pixels: Buffer): boolean {
  return !pixels.equals(Buffer.alloc(pixels.length, pixels.subarray(0, BYTES_PER_PIXEL)));
}
