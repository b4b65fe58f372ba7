import { expect, test } from 'vitest';
import { startEngine } from '../../../harness/terminal-engine.ts';

type Started = ReturnType<typeof startEngine>;

const textsOf = ({ engine, text }: Started): string[] =>
  Array.from({ length: engine.historyLines + engine.rows }, (_, index) => text(index - engine.historyLines).trimEnd());

const ROWS = 4;
const COLUMNS = 24;
const RED = (1 << 24) | 1;

test('blanks that EL, ED and ECH painted take no rows in a narrower window', () => {
  const started = startEngine({ columns: 12, rows: 4, saveLines: 20 });
  started.write('\x1b[41mone\x1b[K\r\ntwo\x1b[20X\r\nlast\x1b[J\x1b[m');
  expect(started.cell(0, 11).background).toBe(RED);
  started.engine.resize(6, 4);
  expect(textsOf(started)).toEqual(['one', 'two', 'last', '']);
  // Those blanks that are still in the row keep their colour.
  expect([started.cell(0, 5).background, started.cell(1, 5).background]).toEqual([RED, RED]);
});

test('spaces that were printed in colour are text: they take rows', () => {
  const started = startEngine({ columns: 12, rows: 4, saveLines: 20 });
  started.write('one\x1b[41m         \x1b[m\r\nend');
  started.engine.resize(6, 4);
  expect(textsOf(started)).toEqual(['one', '', 'end', '']);
  expect(started.cell(1, 5).background).toBe(RED);
});

test('a screen without text keeps the colour that it was erased with, in a wider and in a higher window', () => {
  const started = startEngine({ columns: 6, rows: 4, saveLines: 20 });
  started.write('\x1b[44m\x1b[2J\x1b[H');
  started.engine.resize(9, 6);
  for (let row = 0; row < 4; row += 1) expect(started.cell(row, 5).background).toBe((1 << 24) | 4);
});

/** A generator of numbers below `bound`, the same in each run. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

type Next = ReturnType<typeof numbers>;

/** Writes or erases cells of a row, on the screen and in the list of its cells, in which '' is an erased one. */
function changeRow({ write }: Started, rows: readonly string[][], next: Next): void {
  const row = next(ROWS);
  const column = next(COLUMNS - 1);
  const count = 1 + next(COLUMNS - 1 - column);
  const changes: readonly [sent: string, sign: string, start: number, end: number][] = [
    ['x'.repeat(count), 'x', column, column + count],
    [' '.repeat(count), ' ', column, column + count],
    [`\x1b[${count}X`, '', column, column + count],
    ['\x1b[K', '', column, COLUMNS],
    ['\x1b[1K', '', 0, column + 1],
  ];
  const [sent, sign, start, end] = changes[next(changes.length)] ?? ['', '', 0, 0];
  write(`\x1b[${row + 1};${column + 1}H\x1b[4${next(8)}m${sent}`);
  rows[row]?.fill(sign, start, end);
}

/** The rows that a line of cells takes. */
function breakCells(cells: readonly string[], columns: number): string[] {
  const used = cells.findLastIndex((sign) => sign !== '') + 1;
  const text = cells.map((sign) => sign || ' ').join('');
  return Array.from({ length: Math.max(1, Math.ceil(used / columns)) }, (_, part) =>
    text.slice(part * columns, (part + 1) * columns).trimEnd(),
  );
}

test('200 random screens break as rows of what was written and not erased since', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const next = numbers(seed);
    const started = startEngine({ columns: COLUMNS, rows: ROWS + 1, saveLines: 500 });
    const rows = Array.from({ length: ROWS }, () => new Array<string>(COLUMNS).fill(''));
    for (let step = 0; step < 40; step += 1) changeRow(started, rows, next);
    started.write(`\x1b[m\x1b[${ROWS + 1};1H\x1b[Kend`);
    const columns = 3 + next(COLUMNS * 2);
    started.engine.resize(columns, ROWS + 1);
    const expected = rows.flatMap((cells) => breakCells(cells, columns));
    expect(textsOf(started), `seed ${seed}, ${columns} columns`).toEqual([...expected, 'end']);
  }
});
