import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { startEngine } from '../../../harness/terminal-engine.ts';

const LINES = 50_000;

/**
 * Most bytes of a line on the heap, beside its cells: the garbage collector must visit them, in pauses that a person
 * notices.
 */
const LINE_MAX_BYTES = 220;

test('a long history burdens the garbage collector little', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { engine, write } = startEngine({ saveLines: LINES });
  const part = 'line of output\r\n'.repeat(1_000);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let lines = 0; lines < LINES; lines += 1_000) write(part);
  collect();
  const perLine = (process.memoryUsage().heapUsed - before) / LINES;
  console.log(`${perLine.toFixed(0)} bytes of heap for a line of the history`);

  expect(engine.historyLines).toBe(LINES - 23);
  expect(perLine).toBeLessThan(LINE_MAX_BYTES);
});

test('lines of any widths that share storage do not share cells', () => {
  const { engine, write, text } = startEngine({ columns: 20, rows: 3, saveLines: 500 });
  for (const columns of [20, 1, 33, 400, 7]) {
    engine.resize(columns, 3);
    for (let line = 0; line < 600; line += 1) write(`\x1b[2K${line % 10}\r\n`);
    const shown = Array.from({ length: 500 }, (_, row) => text(-1 - row));
    expect(shown).toEqual(Array.from({ length: 500 }, (_, row) => String((597 - row) % 10)));
  }
});

for (const [what, text] of [
  ['lines of text that were wrapped', 'line of output that is wrapped'],
  ['such lines of wide characters', '漢字'.repeat(8)],
  ['such lines with a coloured end', 'line of output, \x1b[44mcoloured\x1b[K\x1b[m'],
] as const) {
  test(`a very wide window takes no more memory for ${what} than they need`, () => {
    const { engine, write, text: textOf } = startEngine({ columns: 20, rows: 3, saveLines: 500 });
    write(`${text}\r\n`.repeat(400));
    const before = textOf(-1);
    engine.resize(8_000, 3);
    const cells = Array.from(
      { length: engine.historyLines },
      (_, row) => (engine.line(-1 - row)?.words.length ?? 0) / 4,
    );
    expect(Math.max(...cells)).toBeLessThanOrEqual(40);
    engine.resize(20, 3);
    expect(textOf(-1)).toBe(before);
    expect(engine.historyLines).toBe(500);
  });
}
