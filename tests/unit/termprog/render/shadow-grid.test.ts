import { expect, test } from 'vitest';
import { BLINK, CLUSTER, CONTINUATION, WIDE } from '../../../../src/termprog/engine/cell.ts';
import { ShadowGrid } from '../../../../src/termprog/render/shadow-grid.ts';

const COLUMNS = 20;

function rowOf(text: string): Uint32Array {
  const words = new Uint32Array(COLUMNS * 4);
  for (const [column, character] of [...text].entries()) words[column * 4] = character.codePointAt(0) ?? 0;
  return words;
}

function update(grid: ShadowGrid, words: Uint32Array, row = 0): [start: number, end: number][] {
  const count = grid.update(row, words);
  return Array.from({ length: count }, (_, span) => [grid.start(span), grid.end(span)]);
}

function painted(...texts: string[]): ShadowGrid {
  const grid = new ShadowGrid();
  grid.resize(COLUMNS, texts.length);
  for (const [row, text] of texts.entries()) grid.update(row, rowOf(text));
  return grid;
}

test('a new grid paints whole rows', () => {
  const grid = new ShadowGrid();
  grid.resize(COLUMNS, 1);
  expect(grid.isDoubtful(0)).toBe(true);
  expect(update(grid, rowOf(''))).toEqual([[0, COLUMNS]]);
});

test('on a cleared window only what is not blank is painted', () => {
  const grid = painted('hello', '');
  grid.forgetRows(0, 1);
  grid.clear();
  expect(update(grid, rowOf('  jello'))).toEqual([[0, 7]]);
  expect(update(grid, rowOf(''), 1)).toEqual([]);
});

test('cells that are shown already are not painted again', () => {
  const grid = painted('hello');
  expect(update(grid, rowOf('hello'))).toEqual([]);
  expect(grid.isDoubtful(0)).toBe(false);
});

test('only differences are painted, and close ones together', () => {
  expect(update(painted('hello'), rowOf('jello'))).toEqual([[0, 1]]);
  expect(update(painted('hello'), rowOf('jellu'))).toEqual([[0, 5]]);
  expect(update(painted('0123456789'), rowOf('x12345678x'))).toEqual([
    [0, 1],
    [9, 10],
  ]);
});

test('every word of a cell counts', () => {
  for (const word of [1, 2, 3]) {
    const words = rowOf('hello');
    words[2 * 4 + word] = 1;
    expect(update(painted('hello'), words)).toEqual([[2, 3]]);
  }
});

test('forgotten cells are painted again', () => {
  const grid = painted('hello');
  grid.forget(0, 2, 4);
  expect(grid.isDoubtful(0)).toBe(true);
  expect(update(grid, rowOf('hello'))).toEqual([[2, 4]]);
});

test('where the server has filled cells with the background, those that were blank are not painted again', () => {
  const grid = painted('hello', '');
  grid.expose(0, 2, 9);
  grid.expose(1, 0, COLUMNS);
  expect(update(grid, rowOf('hello'))).toEqual([[2, 5]]);
  expect([grid.isDoubtful(1), update(grid, rowOf(''), 1)]).toEqual([false, []]);
});

test('blanks into which ink of their neighbours reaches are painted again', () => {
  const grid = painted('hello');
  grid.setOverhangs(0, true);
  grid.expose(0, 5, 6);
  expect(update(grid, rowOf('hello'))).toEqual([[5, 6]]);
});

test('rows are settled up to one that is marked or doubtful, over the last row', () => {
  const grid = painted('a', 'b', 'c', 'd');
  expect(grid.countSettled(2, 4, new Uint8Array(4))).toBe(4);
  expect(grid.countSettled(2, 4, Uint8Array.of(0, 1, 0, 0))).toBe(3);
  grid.doubt(0, 0);
  expect(grid.countSettled(2, 4, Uint8Array.of(0, 1, 0, 0))).toBe(2);
  expect(grid.countSettled(2, 4, undefined)).toBe(0);
});

test('a wide character is painted whole, whichever half changed', () => {
  const words = rowOf('a漢b');
  words[4] = (words[4] ?? 0) | WIDE;
  words[8] = CONTINUATION;
  const grid = painted('');
  grid.update(0, words);
  grid.forget(0, 2, 3);
  expect(update(grid, words)).toEqual([[1, 3]]);
  grid.forget(0, 1, 2);
  expect(update(grid, words)).toEqual([[1, 3]]);
});

test('only cells whose words are numbers are forgotten', () => {
  const words = rowOf('abcdefghij');
  words[0] = CLUSTER | 5;
  words[8 * 4 + 3] = 7;
  const grid = painted('');
  grid.update(0, words);
  grid.forgetNumbered();
  expect(update(grid, words)).toEqual([
    [0, 1],
    [8, 9],
  ]);
});

test('a scroll moves the shown cells, and rows that got none are as before', () => {
  const grid = painted('one', 'two', 'three', 'four');
  grid.scroll(1, 3, 1);
  expect(['one', 'three', 'four', 'four'].map((text, row) => update(grid, rowOf(text), row))).toEqual([[], [], [], []]);
  grid.scroll(0, 2, -2);
  expect(['one', 'three', 'one', 'four'].map((text, row) => update(grid, rowOf(text), row))).toEqual([[], [], [], []]);
});

test('unknown cells move along', () => {
  const grid = painted('one', 'two', 'three');
  grid.forget(2, 0, 2);
  grid.scroll(0, 2, 1);
  expect([0, 1, 2].map((row) => grid.isDoubtful(row))).toEqual([false, true, true]);
  expect(update(grid, rowOf('three'), 1)).toEqual([[0, 2]]);
});

test('a resize keeps the cells of both sizes', () => {
  const grid = painted('hello', 'world');
  grid.resize(COLUMNS + 2, 3);
  const longer = new Uint32Array((COLUMNS + 2) * 4);
  longer.set(rowOf('hello'));
  expect(update(grid, longer)).toEqual([[COLUMNS, COLUMNS + 2]]);
  grid.resize(5, 1);
  expect(update(grid, rowOf('hello').subarray(0, 20))).toEqual([]);
});

test('a resize forgets the last cell of a row where ink of a cell that is cut off may lie in it', () => {
  const grid = painted('hello', 'world');
  grid.setOverhangs(1, true);
  grid.resize(4, 2);
  expect(update(grid, rowOf('hell').subarray(0, 16))).toEqual([]);
  expect(update(grid, rowOf('worl').subarray(0, 16), 1)).toEqual([[3, 4]]);
});

test('ink beside its cell widens the painted part to the next change of style', () => {
  const words = rowOf('abcdefghij');
  for (let column = 3; column < 7; column += 1) words[column * 4 + 1] = 9;
  const grid = painted('');
  grid.update(0, words);
  words[4 * 4] = 0x78;
  grid.update(0, words);
  expect(grid.widen(words)).toBe(1);
  expect([grid.start(0), grid.end(0)]).toEqual([3, 7]);
});

test('cells outside the grid have no effect', () => {
  const grid = painted('hello');
  grid.forget(5, 0, 3);
  grid.forget(0, -3, 0);
  grid.forget(0, COLUMNS, COLUMNS + 9);
  expect(grid.isDoubtful(0)).toBe(false);
});

test('cells that blink are found again, wherever they scroll', () => {
  const grid = painted('one', 'two', 'three');
  expect(grid.hasBlinking).toBe(false);
  const blinking = rowOf('two');
  blinking[1 * 4 + 1] = BLINK;
  grid.update(1, blinking);
  grid.scroll(0, 2, 1);

  grid.forgetBlinking();

  expect(grid.hasBlinking).toBe(true);
  expect([0, 1, 2].map((row) => grid.isDoubtful(row))).toEqual([true, false, false]);
  expect(update(grid, blinking)).toEqual([[1, 2]]);
});

test('rows whose cells do not blink any more are forgotten', () => {
  const grid = painted('one');
  const blinking = rowOf('one');
  blinking[1] = BLINK;
  grid.update(0, blinking);
  grid.update(0, rowOf('one'));

  grid.forgetBlinking();

  expect([grid.hasBlinking, grid.isDoubtful(0)]).toEqual([false, false]);
});
