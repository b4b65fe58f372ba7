/** Bytes of a pixel; the last one is unused. */
const PIXEL_BYTES = 4;
const WHITE = 0xffffff;

/** Pixels that are not white in either of two pictures of one size, and how many of them are equal. */
export function compareInk(one: Buffer, other: Buffer): { inked: number; equal: number } {
  let [inked, equal] = [0, 0];
  for (let at = 0; at < one.length; at += PIXEL_BYTES) {
    const [left, right] = [one.readUIntLE(at, 3), other.readUIntLE(at, 3)];
    if (left === WHITE && right === WHITE) continue;
    inked += 1;
    if (left === right) equal += 1;
  }
  return { inked, equal };
}
