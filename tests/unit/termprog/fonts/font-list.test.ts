import { expect, test } from 'vitest';
import { bitmapFontsIn } from '../../../../src/termprog/fonts/font-list.ts';

test("the server's fonts of a list are those that are not patterns of outline fonts, in their order", () => {
  expect(bitmapFontsIn(' 6x13bold, xft:DejaVu Sans Mono:weight=bold ,XFT: Noto , 7x13bold')).toEqual([
    '6x13bold',
    '7x13bold',
  ]);
});

test('a list that is unset or empty has no fonts', () => {
  for (const list of [undefined, '', ' , ,xft:']) expect(bitmapFontsIn(list)).toEqual([]);
});
