import { expect, test } from 'vitest';
import { startEngine } from '../../../harness/terminal-engine.ts';

const lines = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, index) => `line ${first + index}`).join('\r\n');

for (const saveLines of [0, 1, 2, 63, 64, 65, 1_024]) {
  test(`a history of ${saveLines} lines holds the last ${saveLines} that left the screen, and no more`, () => {
    const { engine, write, text } = startEngine({ columns: 20, rows: 3, saveLines });
    write(lines(1, 3 + saveLines));
    expect(engine.historyLines).toBe(saveLines);
    expect(text(-saveLines)).toBe('line 1');

    write(`\r\n${lines(4 + saveLines, 100 + saveLines)}`);
    expect(engine.historyLines).toBe(saveLines);
    expect(text(-saveLines)).toBe('line 98');
    expect(text(2)).toBe(`line ${100 + saveLines}`);
    expect(engine.line(-saveLines - 1)).toBeUndefined();
  });
}

test('without a history a smaller screen loses what does not fit, and a larger one does not bring it back', () => {
  const { engine, write, text } = startEngine({ columns: 20, rows: 6, saveLines: 0 });
  write(lines(1, 6));
  engine.resize(20, 2);
  expect([engine.historyLines, text(0), text(1)]).toEqual([0, 'line 5', 'line 6']);
  engine.resize(20, 4);
  expect([0, 1, 2, 3].map(text)).toEqual(['line 5', 'line 6', '', '']);
  engine.resize(3, 4);
  expect(engine.historyLines).toBe(0);
});

test('lines that take more rows in a narrower or a lower window stay in the history until others come', () => {
  const { engine, write, text } = startEngine({ columns: 20, rows: 3, saveLines: 5 });
  for (let n = 0; n < 9; n += 1) write(`${`${n}`.repeat(19)}\r\n`);
  for (const [columns, rows] of [
    [4, 3],
    [1, 1],
    [30, 2],
    [20, 3],
  ] as const) {
    engine.resize(columns, rows);
  }
  expect(Array.from({ length: engine.historyLines + 3 }, (_, row) => text(row - engine.historyLines))).toEqual([
    ...[2, 3, 4, 5, 6, 7, 8].map((n) => `${n}`.repeat(19)),
    '',
  ]);
});

test('each further line takes at least one line of text from a history of more rows, down to its configured length', () => {
  const { engine, write } = startEngine({ columns: 200, rows: 3, saveLines: 50 });
  for (let n = 0; n < 60; n += 1) write(`${'x'.repeat(190)}\r\n`);
  engine.resize(10, 3);
  const textLines = (): number =>
    Array.from({ length: engine.historyLines }, (_, index) => engine.line(-1 - index)).filter(
      (line) => line?.isWrapped === false,
    ).length;
  for (let n = 0; n < 60; n += 1) {
    write('y\r\n');
    expect(textLines()).toBeLessThanOrEqual(50);
  }
  expect(engine.historyLines).toBe(50);
});

test('rows that a resize makes of a history are bounded', () => {
  const { engine, write } = startEngine({ columns: 1_000, rows: 3, saveLines: 1_024 });
  for (let n = 0; n < 1_100; n += 1) write(`${'x'.repeat(999)}\r\n`);
  for (const columns of [1, 1_000, 2, 1]) engine.resize(columns, 3);
  expect(engine.historyLines).toBeLessThanOrEqual(1_024 + 20_000);
});
