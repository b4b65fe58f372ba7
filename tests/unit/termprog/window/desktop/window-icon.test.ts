import { expect, test } from 'vitest';
import { drawPictures } from '../../../../../scripts/icon-pictures.ts';
import { iconPictures } from '../../../../../src/termprog/window/desktop/window-icon.ts';

test('the icon has a picture for each size in use, with clear corners, a dark screen and a bright prompt', () => {
  const { buffer, byteOffset, length } = iconPictures();
  const words = new Uint32Array(buffer.slice(byteOffset, byteOffset + length));
  // The icon must be as it is drawn: else run scripts/icon-pictures.ts.
  expect(words).toEqual(drawPictures());
  const sides: number[] = [];
  for (let at = 0; at < words.length; ) {
    const [width = 0, height = 0] = words.subarray(at, at + 2);
    const pixels = words.subarray(at + 2, at + 2 + width * height);
    sides.push(width);
    expect(height).toBe(width);
    expect(pixels.length).toBe(width * height);
    const pixelAt = (x: number, y: number) => pixels[Math.floor(y * width) * width + Math.floor(x * width)] ?? 0;
    expect(pixelAt(0, 0) >>> 24).toBeLessThan(0x40);
    expect(pixelAt(0.5, 0.2)).toBe(0xff1f2733);
    // The prompt's tip, in green.
    const tip = pixelAt(0.42, 0.47);
    expect((tip >> 8) & 0xff).toBeGreaterThan(0x80);
    expect((tip >> 8) & 0xff).toBeGreaterThan(tip & 0xff);
    at += 2 + width * height;
  }
  expect(sides).toEqual([16, 32, 48, 64]);
});
