import { expect, test } from 'vitest';
import { startEngine } from '../../../../harness/terminal-engine.ts';

type Started = ReturnType<typeof startEngine>;

const history = ({ engine, text }: Started): string[] =>
  Array.from({ length: engine.historyLines }, (_, index) => text(index - engine.historyLines));
const screen = ({ engine, text }: Started): string[] => Array.from({ length: engine.rows }, (_, row) => text(row));

test('ED 22 moves the rows up to the last with text into the history, and erases the screen', () => {
  const started = startEngine({ columns: 10, rows: 5, saveLines: 20 });
  started.write('one\r\n\r\nthree\x1b[22J');
  expect(history(started)).toEqual(['one', '', 'three']);
  expect(screen(started)).toEqual(['', '', '', '', '']);
  expect(started.engine.cursor).toMatchObject({ row: 2, column: 5 });

  started.write('\x1b[22J\x1b[22J');
  expect(history(started)).toHaveLength(3);
});

test('ED 22 moves all rows, also with margins and guards, and later text is not joined to them', () => {
  const started = startEngine({ columns: 5, rows: 4, saveLines: 20 });
  started.write('first\r\n\x1b[41m\x1b[Kx\x1bVg\x1bW\r\nabcdefghij');
  started.write('\x1b[2;3r\x1b[?69h\x1b[2;4s\x1b[22J\x1b[Hnew');
  expect(history(started)).toEqual(['first', 'xg', 'abcde', 'fghij']);
  expect(screen(started).map((row) => row.trim())).toEqual(['new', '', '', '']);
  started.engine.resize(20, 4);
  expect(history(started)).toEqual(['first', 'xg', 'abcdefghij']);
});

test('ED 22 erases the alternate screen and moves no row', () => {
  const started = startEngine({ columns: 10, rows: 3, saveLines: 20 });
  started.write('shell\x1b[?1049h\x1b[Hprogram\x1b[22J');
  expect([screen(started), history(started)]).toEqual([['', '', ''], []]);
  started.write('\x1b[?1049l');
  expect([screen(started), history(started)]).toEqual([['shell', '', ''], []]);
});

test('ED 22 keeps a history within its bound, and works without one', () => {
  const bounded = startEngine({ columns: 10, rows: 3, saveLines: 2 });
  bounded.write('a\r\nb\r\nc\x1b[22J');
  expect([history(bounded), screen(bounded)]).toEqual([
    ['b', 'c'],
    ['', '', ''],
  ]);

  const without = startEngine({ columns: 10, rows: 3, saveLines: 0 });
  without.write('a\r\nb\x1b[22J');
  expect([history(without), screen(without)]).toEqual([[], ['', '', '']]);
});
