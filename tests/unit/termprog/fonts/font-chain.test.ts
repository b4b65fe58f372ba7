import { expect, test } from 'vitest';
import { readFontChain } from '../../../../src/termprog/fonts/font-chain.ts';

test('entries of a chain are fonts of the server in their order, and patterns of outline fonts', () => {
  expect(readFontChain(' 6x13bold, xft:DejaVu Sans Mono:weight=bold ,XFT: Noto , 7x13bold')).toEqual({
    bitmap: ['6x13bold', '7x13bold'],
    outline: ['DejaVu Sans Mono:weight=bold', 'Noto'],
  });
});

test('a chain that is unset or names nothing has no entries', () => {
  for (const chain of [undefined, '', ' , ,xft:']) {
    expect(readFontChain(chain)).toEqual({ bitmap: [], outline: [] });
  }
});
