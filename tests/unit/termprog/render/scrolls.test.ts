import { expect, test } from 'vitest';
import { joinScrolls } from '../../../../src/termprog/render/scrolls.ts';

test('scrolls of the same rows in the same direction are one', () => {
  const once = { top: 2, bottom: 9, lines: 1 };
  expect(joinScrolls([once, once, once])).toEqual([{ top: 2, bottom: 9, lines: 3 }]);
  expect(once.lines).toBe(1);
});

test('scrolls of other rows, or back, stay apart and in order', () => {
  const scrolls = [
    { top: 0, bottom: 9, lines: 1 },
    { top: 0, bottom: 9, lines: -1 },
    { top: 0, bottom: 8, lines: -1 },
  ];
  expect(joinScrolls(scrolls)).toEqual(scrolls);
});

test('too many scrolls become one that moves no row', () => {
  const scrolls = Array.from({ length: 40 }, (_, index) => ({ top: 3, bottom: 9, lines: index % 2 === 0 ? 1 : -1 }));
  expect(joinScrolls(scrolls)).toEqual([{ top: 3, bottom: 9, lines: 7 }]);
});
