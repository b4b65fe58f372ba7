import { expect, test } from 'vitest';
import { startEngine } from '../../../../harness/terminal-engine.ts';

/** A screen of letters with margins at the columns 3 and 6. */
function start({ columns = 8, rows = 4 } = {}) {
  const started = startEngine({ columns, rows });
  const lines = Array.from({ length: rows }, (_, row) => String.fromCharCode(97 + row).repeat(columns));
  started.write(`\x1b[?7l${lines.map((line, row) => `\x1b[${row + 1}H${line}`).join('')}\x1b[?7h\x1b[?69h\x1b[3;6s`);
  return { ...started, shown: (): string[] => lines.map((_line, row) => started.text(row).padEnd(columns)) };
}

for (const [what, sent, expected] of [
  [
    'text wraps at the right margin, to the left one',
    '\x1b[1;5H12345',
    ['aaaa12aa', 'bb345bbb', 'cccccccc', 'dddddddd'],
  ],
  ['right of the margins it wraps at the edge', '\x1b[1;8H12', ['aaaaaaa1', 'bb2bbbbb', 'cccccccc', 'dddddddd']],
  [
    'a line feed at the bottom scrolls between the margins',
    '\x1b[4;4H\n',
    ['aabbbbaa', 'bbccccbb', 'ccddddcc', 'dd    dd'],
  ],
  ['but not from outside of them', '\x1b[4;1H\n', ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd']],
  ['reverse index scrolls down', '\x1b[1;3H\x1bM', ['aa    aa', 'bbaaaabb', 'ccbbbbcc', 'ddccccdd']],
  ['lines are inserted', '\x1b[2;3H\x1b[L', ['aaaaaaaa', 'bb    bb', 'ccbbbbcc', 'ddccccdd']],
  ['lines are deleted', '\x1b[2;3H\x1b[M', ['aaaaaaaa', 'bbccccbb', 'ccddddcc', 'dd    dd']],
  ['lines are not inserted from outside', '\x1b[2;8H\x1b[L', ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd']],
  ['cells are inserted', '\x1b[2;4H12\x1b[4D\x1b[2@', ['aaaaaaaa', 'bb  b1bb', 'cccccccc', 'dddddddd']],
  ['cells are deleted', '\x1b[2;4H12\x1b[4D\x1b[2P', ['aaaaaaaa', 'bb2b  bb', 'cccccccc', 'dddddddd']],
  ['columns are inserted', "\x1b[1;4H\x1b[2'}", ['aaa  aaa', 'bbb  bbb', 'ccc  ccc', 'ddd  ddd']],
  ['columns are deleted', "\x1b[1;4H\x1b[2'~", ['aaaa  aa', 'bbbb  bb', 'cccc  cc', 'dddd  dd']],
  ['text moves left', '\x1b[1;4H\x1b[2 @', ['aaaa  aa', 'bbbb  bb', 'cccc  cc', 'dddd  dd']],
  ['but not from outside', '\x1b[1;1H\x1b[2 @', ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd']],
  ['text moves right', '\x1b[1;4H\x1b[ A', ['aa aaaaa', 'bb bbbbb', 'cc ccccc', 'dd ddddd']],
  ['back index moves it', '\x1b[1;3H\x1b6', ['aa aaaaa', 'bb bbbbb', 'cc ccccc', 'dd ddddd']],
  ['forward index moves it', '\x1b[1;6H\x1b9', ['aaaaa aa', 'bbbbb bb', 'ccccc cc', 'ddddd dd']],
  ['the screen scrolls up between them', '\x1b[S', ['aabbbbaa', 'bbccccbb', 'ccddddcc', 'dd    dd']],
  ['the alignment pattern ends them', '\x1b#8\x1b[1;8H1', ['EEEEEEE1', 'EEEEEEEE', 'EEEEEEEE', 'EEEEEEEE']],
  ['erasing does not look at them', '\x1b[2;4H\x1b[2K', ['aaaaaaaa', '        ', 'cccccccc', 'dddddddd']],
] as const) {
  test(`with margins at the sides, ${what}`, () => {
    const { write, shown } = start();
    write(sent);
    expect(shown()).toEqual(expected);
  });
}

for (const [what, sent, column, row] of [
  ['left stops at the margin', '\x1b[2;5H\x1b[9D', 2, 1],
  ['left of it, at the edge', '\x1b[2;2H\x1b[9D', 0, 1],
  ['right stops at the margin', '\x1b[2;4H\x1b[9C', 5, 1],
  ['right of it, at the edge', '\x1b[2;7H\x1b[9C', 7, 1],
  ['a carriage return goes to the margin', '\x1b[2;5H\r', 2, 1],
  ['left of it, to the edge', '\x1b[2;2H\r', 0, 1],
  ['a tab stops at the margin', '\x1b[2;1H\t', 5, 1],
  ['addresses count from the corner', '\x1b[2;1H', 0, 1],
  ['in origin mode, from the margins', '\x1b[?6h\x1b[2;1H', 2, 1],
  ['and end at them', '\x1b[?6h\x1b[2;9H', 5, 1],
  ['back index moves the cursor', '\x1b[2;5H\x1b6', 3, 1],
  ['and stops at the edge', '\x1b[2;1H\x1b6', 0, 1],
  ['forward index moves the cursor', '\x1b[2;4H\x1b9', 4, 1],
  ['and stops at the edge', '\x1b[2;8H\x1b9', 7, 1],
  ['setting margins goes home', '\x1b[3;4H\x1b[2;5s', 0, 0],
  ['margins that are none change nothing', '\x1b[3;4H\x1b[5;5s', 3, 2],
  ['backspace goes to the right margin of the row above', '\x1b[?45h\x1b[2;3H\b', 5, 0],
  ['from the top to the bottom', '\x1b[?45h\x1b[1;3H\b', 5, 3],
] as const) {
  test(`with margins at the sides, ${what}`, () => {
    const { write, engine } = start();
    write(sent);
    expect(engine.cursor).toMatchObject({ column, row });
  });
}

test('without the mode the sequence saves the cursor', () => {
  const { write, engine } = startEngine();
  write('\x1b[3;4H\x1b[2;5s\x1b[H\x1b[u');
  expect(engine.cursor).toMatchObject({ column: 3, row: 2 });
});

test('the end of the mode, a soft reset and a lower level end the margins', () => {
  for (const end of ['\x1b[?69l', '\x1b[!p', '\x1b[63"p']) {
    const { write, text } = start();
    write(`${end}\x1b[H12345678`);
    expect(text(0)).toBe('12345678');
  }
});

for (const [mode, sent, column, row] of [
  [45, '\x1b[2;1H\b', 79, 0],
  [1045, '\x1b[2;1H\b', 79, 0],
  [45, '\x1b[1;1H\b', 79, 23],
  [45, '\x1b[2;4r\x1b[2;1H\b', 79, 3],
  [45, '\x1b[3;5H\x1b[90D', 74, 0],
  [45, '\x1b[1;79Habcd\x1b[4D', 78, 0],
  [45, '\x1b[1;80Ha\b', 79, 0],
  [45, '\x1b[?7l\x1b[2;1H\b', 0, 1],
] as const) {
  test(`with mode ${mode}, ${JSON.stringify(sent)} goes to column ${column} of row ${row}`, () => {
    const { write, engine } = startEngine();
    write(`\x1b[?${mode}h${sent}`);
    expect(engine.cursor).toMatchObject({ column, row });
  });
}

test('however far the cursor goes back, it is done at once', () => {
  const { write, engine } = startEngine();
  write('\x1b[?45h\x1b[3;5H\x1b[1000000000D');
  expect(engine.cursor.row).toBeLessThan(24);
});

test('a tab behind the last column goes on in the next line only with its mode', () => {
  const { write, engine } = startEngine({ columns: 20 });
  write(`\x1b[?41h${'x'.repeat(20)}\t`);
  expect(engine.cursor).toMatchObject({ column: 8, row: 1 });
  write(`\x1b[?41l\x1b[5H${'x'.repeat(20)}\t`);
  expect(engine.cursor).toMatchObject({ column: 19, row: 4 });
});
