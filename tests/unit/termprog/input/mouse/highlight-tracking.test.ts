import { expect, test } from 'vitest';
import { STATE, startMouse } from './start-mouse.ts';

/** A highlight from the fourth cell of the third row, within rows 2 to 9. */
const REQUEST = { column: 3, row: 2, firstRow: 1, lastRow: 8 };
const DRAGGED = { state: STATE.button(1) };

function start(encoding = '') {
  const mouse = startMouse();
  mouse.write(`\x1b[?1001h${encoding}`);
  return mouse;
}

test('the press is reported; what the drag covers is highlighted, and reported at the release', () => {
  const { offer, answer, at, highlights } = start();
  expect(offer('press', at(3, 2))).toBe('\x1b[M $#');
  expect(highlights.text).toBeUndefined();
  expect(answer(REQUEST)).toBe('');
  expect(offer('motion', { ...DRAGGED, ...at(8, 3) })).toBe('');
  expect(highlights.text).toEqual({ start: { x: 3, y: 2 }, end: { x: 8, y: 3 } });
  expect(offer('release', { ...DRAGGED, ...at(8, 3) })).toBe('\x1b[t)$');
  expect(highlights.text).toBeUndefined();
});

test('a drag backwards, or one out of the rows, reports both ends and the pointer', () => {
  const { offer, answer, at } = start();
  offer('press', at(3, 2));
  answer(REQUEST);
  // The release is above the first of the rows.
  expect(offer('release', { ...DRAGGED, ...at(1, 0) })).toBe('\x1b[T"\x22$#\x22\x22');
});

test('behind the end of a row is the beginning of the next', () => {
  const { offer, answer, at } = start();
  offer('press', at(3, 2));
  answer(REQUEST);
  expect(offer('release', { ...DRAGGED, ...at(70, 4) })).toBe('\x1b[T$#!&g%');
});

test('places are written as the encoding has them', () => {
  const sgr = start('\x1b[?1006h');
  sgr.offer('press', sgr.at(3, 2));
  sgr.answer(REQUEST);
  expect(sgr.offer('release', { ...DRAGGED, ...sgr.at(8, 3) })).toBe('\x1b[<9;4t');
  const urxvt = start('\x1b[?1015h');
  urxvt.offer('press', urxvt.at(3, 2));
  urxvt.answer(REQUEST);
  expect(urxvt.offer('release', { ...DRAGGED, ...urxvt.at(1, 1) })).toBe('\x1b[2;2;4;3;2;2T');
});

test('events before the answer wait for it', () => {
  const { offer, answer, at } = start();
  offer('press', at(3, 2));
  expect(offer('motion', { ...DRAGGED, ...at(5, 2) })).toBe('');
  expect(offer('release', { ...DRAGGED, ...at(8, 3) })).toBe('');
  expect(answer(REQUEST)).toBe('\x1b[t)$');
});

test('an application that wants no highlighting gets an ordinary release, also one that waited', () => {
  const { offer, answer, at } = start();
  offer('press', at(3, 2));
  answer(undefined);
  expect(offer('release', { ...DRAGGED, ...at(3, 2) })).toBe('\x1b[M#$#');
  offer('press', at(3, 2));
  offer('release', { ...DRAGGED, ...at(3, 2) });
  expect(answer(undefined)).toBe('\x1b[M#$#');
});

test('an application that never answers gets the release with the next press', () => {
  const { offer, at } = start();
  offer('press', at(3, 2));
  offer('release', { ...DRAGGED, ...at(3, 2) });
  expect(offer('press', at(4, 2))).toBe('\x1b[M %#\x1b[M#$#');
});

test('answers without a press, and after the mode has ended, have no effect', () => {
  const { answer, offer, at, highlights, state } = start();
  answer(REQUEST);
  expect(highlights.text).toBeUndefined();
  offer('press', at(3, 2));
  highlights.cancel();
  answer(REQUEST);
  expect(highlights.text).toBeUndefined();
  expect(state.redraws).toBe(0);
});

test('other buttons are reported as without highlighting', () => {
  const { offer, at } = start();
  expect(offer('press', { button: 3, ...at(3, 2) })).toBe('\x1b[M"$#');
  expect(offer('release', { button: 3, state: STATE.button(3), ...at(3, 2) })).toBe('\x1b[M#$#');
});

test.each([
  [{ column: 1e9, row: 1e9, firstRow: 1e9, lastRow: 1e9 }],
  [{ column: -1, row: -1, firstRow: -1, lastRow: -2 }],
  [{ column: 3, row: 2, firstRow: 9, lastRow: 1 }],
])('ends of rows %j stay on the screen', (request) => {
  const { offer, answer, at } = start('\x1b[?1006h');
  offer('press', at(3, 2));
  answer(request);
  const told = offer('release', { ...DRAGGED, ...at(8, 3) }) ?? '';
  const numbers = [...told.matchAll(/\d+/g)].map(Number);
  expect(numbers.length === 2 || numbers.length === 6).toBe(true);
  for (const number of numbers) expect(number).toBeGreaterThanOrEqual(1);
  for (const number of numbers) expect(number).toBeLessThanOrEqual(81);
});
