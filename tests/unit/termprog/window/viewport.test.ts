import { expect, test } from 'vitest';
import { Viewport } from '../../../../src/termprog/window/viewport.ts';

test('the view stops at either end of the history', () => {
  const view = new Viewport();
  expect([view.scrollBy(5, 3), view.linesAbove]).toEqual([true, 3]);
  expect([view.scrollBy(1, 3), view.linesAbove]).toEqual([false, 3]);
  expect([view.scrollBy(-9, 3), view.linesAbove]).toEqual([true, 0]);
  expect(view.scrollBy(-1, 3)).toBe(false);
  expect(view.scrollBy(1, 0)).toBe(false);
});

test('going to the live screen tells whether that changed anything', () => {
  const view = new Viewport();
  view.scrollBy(2, 10);
  expect([view.toBottom(), view.toBottom(), view.linesAbove]).toEqual([true, false, 0]);
});
