import { expect, test } from 'vitest';
import { holdEnd, positionOf } from '../../../../src/termprog/selection/marking/held-position.ts';
import { startEngine } from '../../../harness/terminal-engine.ts';

test('the end of a text that fills the screen stays behind it when its line goes on', () => {
  const { engine, write } = startEngine({ columns: 10, rows: 3, saveLines: 1_000 });
  write(`one\r\ntwo\r\n${'x'.repeat(10)}`);
  const held = holdEnd(engine, { row: 3, column: 0 });
  write('y'.repeat(50));

  expect(held && positionOf(engine, held)).toEqual({ row: -2, column: 0 });
  engine.resize(20, 3);
  expect(held && positionOf(engine, held)).toEqual({ row: 0, column: 10 });
});

test('the end of a text behind a short line is the beginning of the next, for any number of columns', () => {
  const { engine, write } = startEngine({ columns: 10, rows: 6 });
  write(`${'x'.repeat(13)}\r\nnext`);
  const held = holdEnd(engine, { row: 2, column: 0 });

  for (const [columns, row] of [
    [10, 2],
    [3, 5],
    [20, 1],
    [10, 2],
  ] as const) {
    engine.resize(columns, 6);
    const place = held && positionOf(engine, held);
    expect([columns, place]).toEqual([columns, { row: row - engine.historyLines, column: 0 }]);
  }
});

test('a place in a line of a hundred thousand rows is found by a look at few of them', () => {
  const { engine, write } = startEngine({ columns: 10, rows: 3, saveLines: 100_000 });
  write(`one\r\ntwo\r\n${'x'.repeat(10)}`);
  const held = holdEnd(engine, { row: 3, column: 0 });
  write('y'.repeat(1_000_000));
  let asked = 0;
  const view = {
    columns: engine.columns,
    rows: engine.rows,
    historyLines: engine.historyLines,
    cursor: engine.cursor,
    rowOf: (id: number) => engine.rowOf(id),
    clusterText: (number: number) => engine.clusterText(number),
    extra: (number: number) => engine.extra(number),
    line: (row: number) => {
      asked += 1;
      return engine.line(row);
    },
  };

  expect(held && positionOf(view, held)).toEqual({ row: -99_997, column: 0 });
  expect(asked).toBeLessThan(10);
});
