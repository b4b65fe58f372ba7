import { expect, test } from 'vitest';
import { cursorRectangles } from '../../../../src/termprog/render/cursor-form.ts';

const cell = { width: 6, height: 13 };

test('an underline or a bar is two pixels thick, and leaves a pixel to the next cell', () => {
  expect(cursorRectangles('underline', cell, 6)).toEqual([{ x: 0, y: 11, width: 5, height: 2 }]);
  expect(cursorRectangles('bar', cell, 6)).toEqual([{ x: 0, y: 0, width: 2, height: 12 }]);
});

test('they are thicker in a large cell, for characters of any width', () => {
  const wide = { width: 60, height: 60 };
  expect(cursorRectangles('underline', wide, 30)).toEqual([{ x: 0, y: 57, width: 59, height: 3 }]);
  expect(cursorRectangles('bar', wide, 30)).toEqual([{ x: 0, y: 0, width: 3, height: 59 }]);
});

test('an outline goes round the cell', () => {
  expect(cursorRectangles('block', cell, 6)).toHaveLength(4);
});
