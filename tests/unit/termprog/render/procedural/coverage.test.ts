import { expect, test } from 'vitest';
import { coverageOf } from '../../../../../src/termprog/render/procedural/coverage.ts';
import { isProcedural } from '../../../../../src/termprog/render/procedural/pictures.ts';
import { RANGES } from '../../../../../src/termprog/render/procedural/ranges.ts';
import { draw, range } from './bitmap.ts';

const cell = { width: 9, height: 18 };
const code = (character: string): number => character.codePointAt(0) ?? 0;

test('straight lines and blocks have whole pixels, those of their rectangles', () => {
  for (const character of '─┼═╬█▞⣿🬗𜴀') {
    const { alpha } = coverageOf(code(character), cell, false) ?? { alpha: [] };
    expect([...alpha]).toEqual(
      draw(character, cell)
        .flat()
        .map((isLit) => (isLit ? 255 : 0)),
    );
  }
});

test('a slanted edge covers as much as its area', () => {
  const { alpha } = coverageOf(code('◢'), cell, false) ?? { alpha: new Uint8Array() };
  const covered = alpha.reduce((sum, part) => sum + part, 0) / 255;
  expect(covered).toBeCloseTo((cell.width * cell.height) / 2, 0);
  expect(alpha.some((part) => part > 0 && part < 255)).toBe(true);
});

test('every pixel of the plain form has ink in the smooth one, and no pixel is far from it', () => {
  for (const codePoint of RANGES.flatMap(({ first, last }) => range(first, last)).filter(isProcedural)) {
    const { alpha } = coverageOf(codePoint, cell, false) ?? { alpha: new Uint8Array() };
    const wrong = draw(codePoint, cell)
      .flat()
      .filter((isLit, at) => (isLit ? (alpha[at] ?? 0) < 32 : (alpha[at] ?? 0) > 224));
    expect([codePoint.toString(16), wrong.length]).toEqual([codePoint.toString(16), 0]);
  }
});

test('there is no map of a character of fonts, nor of a huge cell', () => {
  expect(coverageOf(0x41, cell, false)).toBeUndefined();
  expect(coverageOf(0x2571, { width: 300, height: 600 }, false)).toBeUndefined();
});
