import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../../harness/fuzz-runs.ts';
import { snapshotOf, startEngine } from '../../../harness/terminal-engine.ts';

const CLUSTERS_ON = '\x1b[?2027h';

/** Writes text where clusters are on; the cells of the first row, `''` for the second half of a wide one. */
function cellsOf(text: string, columns = 12): { cells: string[]; column: number } {
  const { engine, write, cell } = startEngine({ columns, rows: 3 });
  write(CLUSTERS_ON + text);
  const all = Array.from({ length: columns }, (_, column) => cell(0, column).text);
  return { cells: all.slice(0, all.findLastIndex((found) => found !== ' ') + 1), column: engine.cursor.column };
}

for (const [what, text, cells] of [
  ['a letter with a mark', 'e\u0301x', ['e\u0301', 'x']],
  ['an emoji', '😀x', ['😀', '', 'x']],
  ['an emoji with a skin tone', '👍🏽x', ['👍🏽', '', 'x']],
  ['an emoji that is text by default, with a skin tone', '☝🏽x', ['☝🏽', '', 'x']],
  ['a family', '👩‍👩‍👧‍👦x', ['👩‍👩‍👧‍👦', '', 'x']],
  ['a heart on fire', '❤️‍🔥x', ['❤️‍🔥', '', 'x']],
  ['the same without its selector', '❤\u200d🔥x', ['❤\u200d🔥', '', 'x']],
  ['a flag', '🇩🇪x', ['🇩🇪', '', 'x']],
  ['two flags', '🇩🇪🇫🇷', ['🇩🇪', '', '🇫🇷', '']],
  ['a flag and a lone indicator', '🇩🇪🇫x', ['🇩🇪', '', '🇫', 'x']],
  ['a keycap', '1\ufe0f\u20e3x', ['1\ufe0f\u20e3', '', 'x']],
  ['text shown as an emoji', '❤\ufe0fx', ['❤\ufe0f', '', 'x']],
  ['text that is text', '❤x', ['❤', 'x']],
  ['an emoji shown as text', '⌚\ufe0ex', ['⌚\ufe0e', 'x']],
  ['an emoji that was an emoji', '⌚\ufe0fx', ['⌚\ufe0f', '', 'x']],
  ['a selector after a letter', 'a\ufe0fx', ['a\ufe0f', 'x']],
  ['a selector after Chinese', '漢\ufe0ex', ['漢\ufe0e', '', 'x']],
  ['Hangul from its parts', '\u1112\u1161\u11abx', ['\u1112\u1161\u11ab', '', 'x']],
  ['Hangul syllables', '한글', ['한', '', '글', '']],
  ['a syllable and a final consonant', '하\u11abx', ['하\u11ab', '', 'x']],
  ['Devanagari with a vowel sign', 'काx', ['का', 'x']],
  ['a Devanagari conjunct', 'क्षx', ['क्ष', 'x']],
  ['Tamil', 'நிx', ['நி', 'x']],
  ['an Arabic number sign', '\u06001x', ['\u06001', 'x']],
  ['ASCII after a joiner', 'a\u200db', ['a\u200d', 'b']],
  ['Chinese and emoji', '漢😀字', ['漢', '', '😀', '', '字', '']],
] as const) {
  test(`${what} has its cells`, () => {
    expect(cellsOf(text)).toEqual({ cells: [...cells], column: cells.length });
  });
}

test('without the mode, and when it is reset, every code point has the width it has alone', () => {
  const { engine, write, cell } = startEngine({ columns: 20, rows: 3 });
  write('🇩🇪👍🏽❤\ufe0f');
  expect(Array.from({ length: 8 }, (_, column) => cell(0, column).text)).toEqual([
    '🇩',
    '🇪',
    '👍',
    '',
    '🏽',
    '',
    '❤\ufe0f',
    ' ',
  ]);
  write(`\r\n${CLUSTERS_ON}🇩🇪`);
  expect(engine.cursor.column).toBe(2);
  write('\x1b[?2027l\r\n👩‍👧');
  expect(engine.cursor.column).toBe(4);
});

test('the mode is reported, survives a soft reset, and a full reset restores what is configured', () => {
  const { write, told } = startEngine({ columns: 20, rows: 3 });
  write(`\x1b[?2027$p${CLUSTERS_ON}\x1b[?2027$p\x1b[!p\x1b[?2027$p\x1bc\x1b[?2027$p`);
  expect(told.replies).toBe('\x1b[?2027;2$y\x1b[?2027;1$y\x1b[?2027;1$y\x1b[?2027;2$y');

  const configured = startEngine({ columns: 20, rows: 3, graphemeClusters: true });
  configured.write('🇩🇪\x1b[?2027$p\x1b[?2027l\x1b[?2027$p\x1bc\x1b[?2027$p');
  expect(configured.told.replies).toBe('\x1b[?2027;1$y\x1b[?2027;2$y\x1b[?2027;1$y');
});

test('a cluster goes on only without an interruption', () => {
  const { engine, write, cell } = startEngine({ columns: 20, rows: 3 });
  write(`${CLUSTERS_ON}🇩\x1b[1m🇪\r\n👩\u200d\x1b[m👧`);
  expect([0, 1, 2].map((column) => cell(0, column).text)).toEqual(['🇩', '🇪', ' ']);
  expect(engine.cursor.column).toBe(4);
  // A mark joins the character behind which the cursor stands, as it does everywhere.
  write('\x1b[3;1Hab\x1b[3;2H\u0301');
  expect(cell(2, 0).text).toBe('a\u0301');
});

test('a cluster that becomes wide in the last column goes to the next line, in its colours', () => {
  const { engine, write, cell, text } = startEngine({ columns: 4, rows: 3 });
  write(`${CLUSTERS_ON}abc\x1b[41m❤\ufe0fx`);
  expect([text(0), text(1)]).toEqual(['abc', '❤\ufe0fx']);
  expect(engine.line(0)?.isWrapped).toBe(true);
  expect(cell(1, 0).background).toBe(cell(1, 1).background);
  expect(cell(1, 0).background).not.toBe(0);
  expect(engine.cursor).toMatchObject({ row: 1, column: 3 });
});

test('the same in the last row scrolls', () => {
  const { engine, write, text } = startEngine({ columns: 4, rows: 2 });
  write(`${CLUSTERS_ON}\x1b[2;1Habc🇩🇪`);
  expect([text(-1), text(0), text(1)]).toEqual(['', 'abc', '🇩🇪']);
  expect(engine.cursor).toMatchObject({ row: 1, column: 2 });
});

test('where lines do not wrap, or there is one column, the cluster stays narrow', () => {
  const { write, text, engine } = startEngine({ columns: 4, rows: 2 });
  write(`${CLUSTERS_ON}\x1b[?7labc❤\ufe0f`);
  expect([text(0), text(1)]).toEqual(['abc❤\ufe0f', '']);
  expect(engine.cursor).toMatchObject({ row: 0, column: 3 });
  const single = startEngine({ columns: 1, rows: 3 });
  single.write(`${CLUSTERS_ON}❤\ufe0f`);
  expect(single.text(0)).toBe('❤\ufe0f');
});

test('between side margins a cluster that becomes wide goes to the left margin of the next line', () => {
  const { engine, write, text } = startEngine({ columns: 8, rows: 3 });
  write(`${CLUSTERS_ON}........\r\x1b[?69h\x1b[3;5s\x1b[1;5H❤\ufe0fx`);
  expect([text(0), text(1)]).toEqual(['.... ...', '  ❤\ufe0fx']);
  expect(engine.line(0)?.isWrapped).toBe(false);
});

test('a cluster that becomes narrow gives its second cell back, also at the end of a line', () => {
  const { engine, write, text } = startEngine({ columns: 4, rows: 2 });
  write(`${CLUSTERS_ON}ab⌚\ufe0ex`);
  expect([text(0), text(1)]).toEqual(['ab⌚\ufe0ex', '']);
  expect(engine.cursor).toMatchObject({ row: 0, column: 3 });
});

test('a wide character that a cluster grows into is cut away', () => {
  const { write, cell } = startEngine({ columns: 8, rows: 2 });
  write(`${CLUSTERS_ON}a漢字\r❤\ufe0f`);
  expect([0, 1, 2, 3, 4].map((column) => cell(0, column).text)).toEqual(['❤\ufe0f', '', ' ', '字', '']);
});

test('in insert mode a cluster moves the rest of the line by its own width', () => {
  const { write, text } = startEngine({ columns: 10, rows: 2 });
  write(`${CLUSTERS_ON}xyz\r\x1b[4h❤\ufe0f⌚\ufe0e`);
  expect(text(0)).toBe('❤\ufe0f⌚\ufe0exyz');
});

test('clusters do not depend on the pieces in which the output arrives', () => {
  const part = fc.constantFrom(
    ...['👩', '\u200d', '🏽', '❤', '\ufe0f', '\ufe0e', '🇩', '🇪', 'a', 'क', '्', 'ष', '\u0600', '漢', '\u1100', '\u1161'],
    ...['\r\n', '\x1b[3D', '\x1b[?2027l', CLUSTERS_ON, '\x1b[4h', '\x1b[4l', '\x1b[?7l', '\x1b[?7h', '\x1b[31m'],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), (parts, size) => {
      const bytes = Buffer.from(CLUSTERS_ON + parts.join(''));
      const [whole, pieces] = [startEngine({ columns: 7, rows: 4 }), startEngine({ columns: 7, rows: 4 })];
      whole.write(bytes);
      for (let at = 0; at < bytes.length; at += size) pieces.write(bytes.subarray(at, at + size));
      expect(snapshotOf(pieces.engine)).toEqual(snapshotOf(whole.engine));
    }),
    { numRuns: fuzzRuns(1_000) },
  );
});
