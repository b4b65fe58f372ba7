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

test('without a history a smaller screen loses what does not fit, and a larger one brings nothing back', () => {
  const { engine, write, text } = startEngine({ columns: 20, rows: 6, saveLines: 0 });
  write(lines(1, 6));
  engine.resize(20, 2);
  expect([engine.historyLines, text(0), text(1)]).toEqual([0, 'line 5', 'line 6']);
  engine.resize(20, 4);
  expect([0, 1, 2, 3].map(text)).toEqual(['line 5', 'line 6', '', '']);
  engine.resize(3, 4);
  expect(engine.historyLines).toBe(0);
});

test('text that takes more lines in a narrower window never makes the history longer than it may be', () => {
  const { engine, write } = startEngine({ columns: 20, rows: 3, saveLines: 5 });
  for (let n = 0; n < 9; n += 1) write(`${'x'.repeat(19)}\r\n`);
  engine.resize(4, 3);
  expect(engine.historyLines).toBe(5);
});
