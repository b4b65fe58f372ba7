import { expect, test } from 'vitest';
import { processorMs } from '../../../harness/processor-time.ts';
import { startEngine } from '../../../harness/terminal-engine.ts';

/** Returns history and screen as text. */
function textsOf({ engine, text }: ReturnType<typeof startEngine>): string[] {
  return Array.from({ length: engine.historyLines + engine.rows }, (_, index) => text(index - engine.historyLines));
}

test('wrapped text is broken anew, and joined again', () => {
  const started = startEngine({ columns: 10, rows: 4 });
  started.write('abcdefghijklmnop\r\nnext');
  started.engine.resize(6, 4);
  expect(textsOf(started)).toEqual(['abcdef', 'ghijkl', 'mnop', 'next']);
  expect(started.engine.cursor).toMatchObject({ column: 4, row: 3 });
  started.engine.resize(20, 4);
  expect(textsOf(started)).toEqual(['abcdefghijklmnop', 'next', '', '']);
  expect(started.engine.cursor).toMatchObject({ column: 4, row: 1 });
});

test('a line that the application ended stays a line', () => {
  const started = startEngine({ columns: 5, rows: 3 });
  started.write('12345\r\n678');
  started.engine.resize(10, 3);
  expect(textsOf(started)).toEqual(['12345', '678', '']);
});

test('the history is broken anew too', () => {
  const started = startEngine({ columns: 4, rows: 2, saveLines: 3 });
  started.write('aaaabbbbcccc\r\nx\r\ny\r\nz');
  started.engine.resize(2, 2);
  expect(textsOf(started)).toEqual(['bb', 'bb', 'cc', 'cc', 'x', 'y', 'z']);
});

test('a wide character is never cut, and its gap goes when there is room', () => {
  const started = startEngine({ columns: 6, rows: 4 });
  started.write('a漢字b');
  started.engine.resize(4, 4);
  expect(textsOf(started)).toEqual(['a漢', '字b', '', '']);
  started.engine.resize(6, 4);
  expect(textsOf(started)).toEqual(['a漢字b', '', '', '']);
});

test('the first row of a line keeps its id', () => {
  const { write, engine } = startEngine({ columns: 10, rows: 6 });
  write('abcdefghijklmnop\r\nnext');
  const ids = [engine.line(0)?.id, engine.line(2)?.id];
  engine.resize(6, 6);
  expect(ids.map((id) => engine.rowOf(id ?? 0))).toEqual([0, 3]);
  engine.resize(40, 6);
  expect(ids.map((id) => engine.rowOf(id ?? 0))).toEqual([0, 1]);
});

test('fewer rows keep the cursor and the text above it as history; more rows bring it back', () => {
  const started = startEngine({ columns: 8, rows: 5 });
  started.write('1\r\n2\r\n3\r\n4\r\n5');
  started.engine.resize(8, 2);
  expect([started.engine.historyLines, started.engine.cursor.row]).toEqual([3, 1]);
  started.engine.resize(8, 5);
  expect(textsOf(started)).toEqual(['1', '2', '3', '4', '5']);
  expect(started.engine.cursor.row).toBe(4);
});

test('blank rows below the cursor go before text does', () => {
  const started = startEngine({ columns: 8, rows: 6 });
  started.write('1\r\n2');
  started.engine.resize(8, 3);
  expect([textsOf(started), started.engine.historyLines, started.engine.cursor.row]).toEqual([['1', '2', ''], 0, 1]);
});

test('the alternate screen is cut, and the first one is broken anew behind it', () => {
  const started = startEngine({ columns: 6, rows: 3 });
  started.write('abcdefgh\x1b[?1049h\x1b[Habcdef');
  started.engine.resize(3, 3);
  expect(started.text(0)).toBe('abc');
  started.write('\x1b[?1049l');
  expect(textsOf(started)).toEqual(['abc', 'def', 'gh']);
  expect(started.engine.cursor).toMatchObject({ column: 2, row: 2 });
});

test('a character of two cells takes one where there is one column', () => {
  const started = startEngine({ columns: 4, rows: 3 });
  started.write('a漢b');
  started.engine.resize(1, 3);
  expect(textsOf(started)).toEqual(['a', '漢', 'b']);
  started.engine.resize(4, 3);
  expect(textsOf(started)[0]).toBe('a漢b');
  started.write('\x1b[1;3HX');
  expect(started.text(0)).toBe('a漢X');
});

test('a line of hundreds of thousands of rows survives any resize', () => {
  const { write, engine, text } = startEngine({ columns: 10, rows: 5, saveLines: 300_000 });
  write('0123456789'.repeat(250_000));
  engine.resize(10, 7);
  expect(text(6)).toBe('0123456789');
  engine.resize(9, 7);
  engine.resize(20, 3);
  expect(text(1)).toBe('01234567890123456789');
  expect(engine.cursor.row).toBe(2);
});

test('text far up in the history keeps its breaks, is cut when shown narrower, and is whole again', () => {
  const { write, engine, text } = startEngine({ columns: 20, rows: 4, saveLines: 50_000 });
  write('a line of twenty her\r\n');
  write('short\r\n'.repeat(40_000));
  const oldest = -engine.historyLines;
  engine.resize(10, 4);
  expect(text(oldest)).toBe('a line of');
  engine.resize(20, 4);
  expect(text(-engine.historyLines)).toBe('a line of twenty her');
});

test('a long history costs a resize no more than a short one', () => {
  const started = startEngine({ columns: 80, rows: 24, saveLines: 1_000_000 });
  started.write(`${'sixty characters and some more in each line of this history\r\n'.repeat(1_000)}`.repeat(300));
  const tookMs = processorMs(() => {
    for (let columns = 79; columns > 59; columns -= 1) started.engine.resize(columns, 24);
  });
  expect(tookMs / 20).toBeLessThan(200);
});

test('sizes from 1 to 8,191 are taken, and others are brought there', () => {
  const { engine, write } = startEngine({ columns: 20, rows: 3, saveLines: 10 });
  write('text in here');
  engine.resize(0, 1_000_000);
  expect([engine.columns, engine.rows]).toEqual([1, 8_191]);
  engine.resize(8_191, 1);
  expect([engine.columns, engine.rows, engine.cursor.row]).toEqual([8_191, 1, 0]);
  engine.resize(65_535, 65_535);
  expect([engine.columns, engine.rows]).toEqual([8_191, 512]);
});
