import { expect, test } from 'vitest';
import { ATTRIBUTE, CLUSTER, createRow, type Row } from '../../../../src/termprog/engine/engine.ts';
import { ShadowGrid } from '../../../../src/termprog/render/shadow-grid.ts';

const COLUMNS = 20;

function rowOf(text: string): Row {
  const row = createRow(COLUMNS);
  for (const [column, character] of [...text].entries()) row.codes[column] = character.codePointAt(0) ?? 0;
  return row;
}

function painted(...texts: string[]): ShadowGrid {
  const grid = new ShadowGrid();
  grid.resize(COLUMNS, 2);
  for (const text of texts) grid.update(0, rowOf(text));
  return grid;
}

test('a new grid paints whole rows', () => {
  expect(painted().update(0, rowOf(''))).toEqual([{ start: 0, end: COLUMNS }]);
});

test('what is shown is not painted again', () => {
  expect(painted('hello').update(0, rowOf('hello'))).toEqual([]);
});

test('only what differs is painted, and close differences together', () => {
  expect(painted('hello').update(0, rowOf('jello'))).toEqual([{ start: 0, end: 1 }]);
  expect(painted('hello').update(0, rowOf('jellu'))).toEqual([{ start: 0, end: 5 }]);
  expect(painted('0123456789').update(0, rowOf('x12345678x'))).toEqual([
    { start: 0, end: 1 },
    { start: 9, end: 10 },
  ]);
});

test('forgotten cells are painted again', () => {
  const grid = painted('hello');
  grid.forget(0, 2, 4);
  expect(grid.update(0, rowOf('hello'))).toEqual([{ start: 2, end: 4 }]);
});

test('a change of the second half of a wide character paints it whole', () => {
  const wide = (): Row => {
    const row = rowOf('a漢');
    row.attributes[1] = ATTRIBUTE.wide;
    row.attributes[2] = ATTRIBUTE.continuation;
    return row;
  };
  const grid = new ShadowGrid();
  grid.resize(COLUMNS, 1);
  grid.update(0, wide());
  grid.forget(0, 2, 3);
  expect(grid.update(0, wide())).toEqual([{ start: 1, end: 3 }]);
});

test('a cluster differs by its text', () => {
  const cluster = (text: string): Row => {
    const row = rowOf('');
    row.codes[3] = CLUSTER;
    row.clusters.set(3, text);
    return row;
  };
  const grid = new ShadowGrid();
  grid.resize(COLUMNS, 1);
  grid.update(0, cluster('e\u0301'));
  expect(grid.update(0, cluster('e\u0301'))).toEqual([]);
  expect(grid.update(0, cluster('e\u0308'))).toEqual([{ start: 3, end: 4 }]);
});

test('a row outside the grid paints nothing', () => {
  expect(painted().update(5, rowOf('x'))).toEqual([]);
});
