import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../../harness/fuzz-runs.ts';
import { snapshotOf, startEngine } from '../../../harness/terminal-engine.ts';

/** The rows' texts, after a character was written. */
function textsWithNext({ engine, write, text }: ReturnType<typeof startEngine>): string[] {
  write('!');
  const texts = Array.from({ length: engine.rows }, (_, row) => text(row));
  return texts.slice(0, texts.findLastIndex((found) => found !== '') + 1);
}

for (const [what, columns, written, narrower, texts] of [
  ['behind a full row, in a wider window', 6, 'abcdef', 10, ['abcdef!']],
  ['behind a full row, in a window that is half as wide', 6, 'abcdef', 3, ['abc', 'def', '!']],
  ['behind a full row, where the last row gets room', 6, 'abcdef', 4, ['abcd', 'ef!']],
  ['behind text that then fills the row', 10, 'abcde', 5, ['abcde', '!']],
  ['behind text that then fills two rows', 10, 'abcdef', 3, ['abc', 'def', '!']],
  ['behind a wide character in the last cells', 4, 'ab漢', 6, ['ab漢!']],
  ['behind wide characters in a window of one column', 6, '漢字', 1, ['漢', '字', '!']],
  ['on a character', 6, 'abcdef\x1b[1;5H', 4, ['abcd', '!f']],
  ['on the first character of a row that was joined', 4, 'abcdefgh\x1b[2;1H', 8, ['abcd!fgh']],
  ['far behind the text', 10, 'ab\x1b[1;9H', 5, ['ab  !']],
  ['at the end of the last row', 3, 'a\r\nb\r\nabc', 5, ['a', 'b', 'abc!']],
] as const) {
  test(`after a resize with the cursor ${what} the next character goes where it belongs`, () => {
    const started = startEngine({ columns, rows: 4 });
    started.write(written);
    started.engine.resize(narrower, 4);
    expect(textsWithNext(started)).toEqual(texts);
  });
}

test('a row that is full stays so when only the height changes', () => {
  const started = startEngine({ columns: 4, rows: 3 });
  started.write('abcd');
  started.engine.resize(4, 5);
  expect(textsWithNext(started)).toEqual(['abcd', '!']);
});

test('the alternate screen is left to the place behind a full row, wherever that is now', () => {
  const started = startEngine({ columns: 6, rows: 4 });
  started.write('abcdef\x1b[?1049hother');
  started.engine.resize(10, 4);
  started.engine.resize(4, 4);
  started.engine.resize(9, 4);
  started.write('\x1b[?1049l');
  expect(textsWithNext(started)).toEqual(['abcdef!']);
});

test('a row of the alternate screen that is full gets the next character where a wider window has room', () => {
  const started = startEngine({ columns: 4, rows: 3 });
  started.write('\x1b[?1049h\x1b[Habcd');
  started.engine.resize(6, 3);
  expect(textsWithNext(started)).toEqual(['abcd!']);
});

for (const mode of [47, 1047]) {
  test(`behind an alternate screen of mode ${mode}, which saves no cursor, the last rows stay`, () => {
    const { write, engine, text } = startEngine({ columns: 10, rows: 6 });
    write(`\x1b7${'text\r\n'.repeat(5)}$ \x1b[?${mode}h\x1b[H`);
    engine.resize(10, 3);
    write(`\x1b[?${mode}l`);
    expect([0, 1, 2].map(text)).toEqual(['text', 'text', '$']);
    expect(engine.historyLines).toBe(3);
  });
}

test('the gap before a wide character goes when there is room, also where it has a colour', () => {
  const { write, engine, text } = startEngine({ columns: 4, rows: 3 });
  write('\x1b[41ma漢字b');
  engine.resize(8, 3);
  expect([text(0), text(1)]).toEqual(['a漢字b', '']);
});

test('text that was resized is the text written in a window of that size', () => {
  const part = fc.constantFrom('a', 'bc', ' ', 'defghij', '漢', '字字', '😀', 'e\u0301', '\r\n', '\x1b[7mr\x1b[m');
  const columns = fc.integer({ min: 2, max: 12 });
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 30 }),
      columns,
      fc.array(columns, { minLength: 1 }),
      (parts, first, sizes) => {
        const rows = 120;
        const [resized, written] = [
          startEngine({ columns: first, rows }),
          startEngine({ columns: sizes.at(-1) ?? 2, rows }),
        ];
        for (const { write } of [resized, written]) write(parts.join(''));
        for (const size of sizes) resized.engine.resize(size, rows);
        expect(snapshotOf(resized.engine)).toEqual(snapshotOf(written.engine));
        for (const { write } of [resized, written]) write('!');
        expect(snapshotOf(resized.engine)).toEqual(snapshotOf(written.engine));
      },
    ),
    { numRuns: fuzzRuns(300) },
  );
});
