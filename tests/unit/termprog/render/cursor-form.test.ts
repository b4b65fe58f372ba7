import { expect, test } from 'vitest';
import { cursorRectangles } from '../../../../src/termprog/render/cursor-form.ts';

const cell = { width: 6, height: 13 };

test('an underline or a bar is thicker with the focus', () => {
  expect(cursorRectangles({ shape: 'underline', isSolid: true }, cell)).toEqual([{ x: 0, y: 11, width: 6, height: 2 }]);
  expect(cursorRectangles({ shape: 'underline', isSolid: false }, cell)).toEqual([
    { x: 0, y: 12, width: 6, height: 1 },
  ]);
  expect(cursorRectangles({ shape: 'bar', isSolid: true }, cell)).toEqual([{ x: 0, y: 0, width: 2, height: 13 }]);
});

test('a block without the focus is the outline of its cell', () => {
  expect(cursorRectangles({ shape: 'block', isSolid: false }, cell)).toHaveLength(4);
});
