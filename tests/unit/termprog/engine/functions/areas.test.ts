import { expect, test } from 'vitest';
import { BLINK, BOLD, INVERSE, UNDERLINE_MASK } from '../../../../../src/termprog/engine/cell.ts';
import { startEngine } from '../../../../harness/terminal-engine.ts';

const LETTERS = ['abcdef', 'ghijkl', 'mnopqr', 'stuvwx'];

function start() {
  const started = startEngine({ columns: 6, rows: 4 });
  started.write(`\x1b[?7l${LETTERS.map((line, row) => `\x1b[${row + 1}H${line}`).join('')}\x1b[2;3H`);
  const rows = (): string[] => LETTERS.map((_line, row) => started.text(row).padEnd(6));
  return { ...started, rows };
}

for (const [what, sent, expected] of [
  ['an area is copied', '\x1b[1;1;2;2;1;3;4$v', ['abcdef', 'ghijkl', 'mnoabr', 'stughx']],
  ['onto itself, further down', '\x1b[1;1;3;3;1;2;2$v', ['abcdef', 'gabckl', 'mghiqr', 'smnowx']],
  ['onto itself, further up', '\x1b[2;2;4;4;1;1;1$v', ['hijdef', 'nopjkl', 'tuvpqr', 'stuvwx']],
  ['beyond the edge it is cut', '\x1b[1;1;4;6;1;4;5$v', ['abcdef', 'ghijkl', 'mnopqr', 'stuvab']],
  ['an empty area is not copied', '\x1b[3;3;2;2;1;1;1$v', LETTERS],
  ['without parameters, all is copied onto itself', '\x1b[$v', LETTERS],
  ['an area is erased', '\x1b[2;2;3;4$z', ['abcdef', 'g   kl', 'm   qr', 'stuvwx']],
  ['all is erased', '\x1b[$z', ['      ', '      ', '      ', '      ']],
  ['an area is filled', '\x1b[42;3;5;9;9$x', ['abcdef', 'ghijkl', 'mnop**', 'stuv**']],
  ['not with a control character', '\x1b[7;1;1;2;2$x', LETTERS],
  ['nor with a wide one', '\x1b[28450;1;1;2;2$x', LETTERS],
  [
    'in origin mode it counts from the margins',
    '\x1b[2;3r\x1b[?6h\x1b[42;1;1;9;2$x',
    ['abcdef', '**ijkl', '**opqr', 'stuvwx'],
  ],
] as const) {
  test(`${JSON.stringify(sent)}: ${what}`, () => {
    const { write, rows, engine } = start();
    const { column, row } = engine.cursor;
    write(sent);
    expect(rows()).toEqual(expected);
    if (!sent.includes('?6h')) expect(engine.cursor).toMatchObject({ column, row });
  });
}

test('selective erasure of an area spares what is protected, and what was only guarded is erased', () => {
  const { write, text } = startEngine({ columns: 6, rows: 1 });
  write('\x1b[1"qab\x1b["q\x1bVcd\x1bWef\x1b[1;1;1;6${');
  expect(text(0)).toBe('ab');
});

test('selective erasure of an area leaves colours and attributes, and takes links away', () => {
  const { write, cell, text } = startEngine({ columns: 6, rows: 2 });
  write('\x1b[1;4;31;42m\x1b]8;;http://example.org/\x1b\\ab漢\x1b]8;;\x1b\\\x1b[m');
  const { foreground, background } = cell(0, 0);
  write('\x1b[7m\x1b[1;1;2;3${');
  expect(text(0)).toBe('');
  for (const column of [0, 1, 2]) {
    expect(cell(0, column)).toMatchObject({ text: ' ', foreground, background, extra: { link: undefined } });
  }
  // Blank cells stay blank, and the half of a character beside the area goes with it.
  expect([cell(0, 3).content, cell(1, 0).content, cell(1, 0).foreground]).toEqual([0, 0, 0]);
});

test('guarded cells survive every erasure but selective ones, until a reset', () => {
  const { write, text } = startEngine({ columns: 6, rows: 1 });
  write('a\x1bVbc\x1bWd\x1b[2J\x1b[2K\x1b[H\x1b[6X');
  expect(text(0)).toBe(' bc');
  write('\x1b[?2K');
  expect(text(0)).toBe('');
  write('\x1bVbc\x1bW\x1b[!p\x1b[2J');
  expect(text(0)).toBe('');
});

test('half a wide character is not copied, and none is left behind', () => {
  const { write, text } = startEngine({ columns: 8, rows: 2 });
  write('漢字漢\x1b[2Hxxxxxxxx\x1b[1;2;1;3;1;2;1$v');
  // The second half of one and the first of another.
  expect(text(1)).toBe('  xxxxxx');
  write('\x1b[1;8H\x1b[1;2;1;2;1;1;5$v');
  expect(text(0)).toBe('漢字');
});

for (const [extent, sent, expected] of [
  ['a stream, from corner to corner', '\x1b[1*x\x1b[1;4;3;2;1;4$r', ['...###', '######', '##....', '......']],
  ['a rectangle', '\x1b[2*x\x1b[2;2;3;4;1;4$r', ['......', '.###..', '.###..', '......']],
  ['a rectangle, which is empty', '\x1b[2*x\x1b[1;4;3;2;1;4$r', ['......', '......', '......', '......']],
] as const) {
  test(`attributes change in the extent of ${extent}`, () => {
    const { write, cell } = start();
    write(sent);
    const isChanged = (row: number, column: number): boolean => {
      const { foreground, background } = cell(row, column);
      return (foreground & BOLD) !== 0 && (background & UNDERLINE_MASK) !== 0;
    };
    const markOf = (row: number, column: number): string => (isChanged(row, column) ? '#' : '.');
    const seen = LETTERS.map((line, row) => [...line].map((_letter, column) => markOf(row, column)).join(''));
    expect(seen).toEqual(expected);
  });
}

test('attributes are reversed, and twice is as before', () => {
  const { write, cell } = start();
  write('\x1b[1;1;1;2;1;5$r\x1b[2*x\x1b[1;2;1;3;1;7$t');
  const bits = [0, 1, 2].map((column) => cell(0, column).foreground & (BOLD | BLINK | INVERSE));
  expect(bits).toEqual([BOLD | BLINK, BLINK | INVERSE, BOLD | INVERSE].map((value) => value | 0));
  write('\x1b[1;2;1;3;1;7$t');
  expect([1, 2].map((column) => cell(0, column).foreground & (BOLD | BLINK | INVERSE))).toEqual([BOLD | BLINK, 0]);
});

test('attributes end by their codes, and by none all end', () => {
  const { write, cell } = start();
  write('\x1b[2*x\x1b[1;1;1;2;1;4;7$r\x1b[1;1;1;1;22;27$r');
  expect([cell(0, 0).foreground, cell(0, 0).background & UNDERLINE_MASK]).toEqual([0, UNDERLINE_MASK & (1 << 28)]);
  write('\x1b[1;1;1;2$r');
  expect([cell(0, 1).foreground, cell(0, 1).background]).toEqual([0, 0]);
});
