import { PNG } from 'pngjs';
import type { Picture } from './fed-terminal.ts';

const RED = [0xff, 0, 0];

/** PNG file content: termprog's picture, the reference's, and where they differ, from top to bottom. */
export function differencePicture(own: Picture, reference: Picture): Buffer {
  const { width, height } = own;
  const png = new PNG({ width, height: 3 * height });
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const [left, right] = [own, reference].map(({ pixels }) => [2, 1, 0].map((byte) => pixels[pixel * 4 + byte] ?? 0));
    const isEqual = String(left) === String(right);
    const faint = left?.map((value) => 0xc0 + value / 4);
    for (const [part, color] of [left, right, isEqual ? faint : RED].entries()) {
      png.data.set([...(color ?? []), 0xff], 4 * (part * width * height + pixel));
    }
  }
  return PNG.sync.write(png);
}
