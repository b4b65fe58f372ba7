import { expect, test } from 'vitest';
import { screenDpi } from '../../../../../src/termprog/fonts/outline/xft-defaults.ts';

test('the resolution of a screen is that of its height', () => {
  expect(screenDpi({ heightPixels: 1_000, heightMm: 254 })).toBe(100);
});

test('a screen that does not say how large it is has a usual resolution', () => {
  expect(screenDpi({ heightPixels: 1_080, heightMm: 0 })).toBe(96);
});
