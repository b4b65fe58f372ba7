import { expect, test } from 'vitest';
import { startEngine } from '../../../../harness/terminal-engine.ts';

for (const [sent, lines] of [
  ['\x1b[T', 1],
  ['\x1b[1T', 1],
  ['\x1b[2T', 2],
  ['\x1b[^', 1],
  ['\x1b[0^', 1],
  ['\x1b[2;9^', 2],
  // Sequences that end and begin the tracking of a highlight by the mouse do not scroll, as in xterm.
  ['\x1b[0T', 0],
  ['\x1b[00T', 0],
  ['\x1b[;T', 0],
  ['\x1b[1;1T', 0],
  ['\x1b[1;2;3;4;5T', 0],
] as const) {
  test(`${JSON.stringify(sent)} scrolls down by ${lines} lines`, () => {
    const { write, text } = startEngine({ columns: 8, rows: 4 });
    write(`top${sent}`);
    expect(Array.from({ length: 4 }, (_, row) => text(row)).indexOf('top')).toBe(lines);
  });
}

test('with several parameters, or a 0, it answers a press of the mouse', () => {
  const { write, told } = startEngine();
  write('\x1b[1;4;3;2;10T\x1b[0;1;1;1;1T\x1b[0T\x1b[1;1T\x1b[5T');
  expect(told.highlights).toEqual([
    { column: 3, row: 2, firstRow: 1, lastRow: 8 },
    undefined,
    undefined,
    { column: 0, row: 0, firstRow: -1, lastRow: -2 },
  ]);
});
