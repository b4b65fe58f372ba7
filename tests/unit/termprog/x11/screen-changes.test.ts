import { expect, test } from 'vitest';
import { screenSizeIn } from '../../../../src/termprog/x11/screen-changes.ts';

/** An event with a size; RANDR protocol, RRScreenChangeNotify. */
function eventOf(rotation: number): { rawData: Buffer } {
  const rawData = Buffer.alloc(32);
  rawData[1] = rotation;
  for (const [index, value] of [1920, 1080, 509, 286].entries()) rawData.writeUInt16LE(value, 24 + 2 * index);
  return { rawData };
}

test('a screen that is not turned, or upside down, has the size that the event reports', () => {
  for (const rotation of [1, 4, 0x11]) {
    expect(screenSizeIn(eventOf(rotation))).toEqual({ width: 1920, height: 1080, widthMm: 509, heightMm: 286 });
  }
});

test('a screen that is turned by a quarter has its sides exchanged', () => {
  for (const rotation of [2, 8, 0x12]) {
    expect(screenSizeIn(eventOf(rotation))).toEqual({ width: 1080, height: 1920, widthMm: 286, heightMm: 509 });
  }
});
