import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONTINUATION, WIDE, WORDS_PER_CELL } from '../../../src/termprog/engine/cell.ts';
import type { TerminalEngine } from '../../../src/termprog/engine/terminal-engine.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { historyTexts, startEngine } from '../../harness/terminal-engine.ts';

const RUNS = fuzzRuns(250);
const SAVE_LINES = 20;
const ROWS_MAX = 9;

const number = fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 30 }).map(String), fc.constant('99999'));
const sequence = fc
  .tuple(fc.array(number, { maxLength: 3 }), fc.constantFrom(...'@ABCDEFGHIJKLMPSTXZbdfghlmrs', ' @', ' A', "'}", "'~"))
  .map(([numbers, final]) => `\x1b[${numbers.join(';')}${final}`);
const mode = fc
  .tuple(fc.constantFrom(4, 6, 7, 20, 45, 47, 69, 1047, 1048, 1049, 2027), fc.constantFrom('h', 'l'))
  .map(([which, final]) => `\x1b[${which === 4 || which === 20 ? '' : '?'}${which}${final}`);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 25 }),
  fc.constantFrom(
    '漢字かな',
    'e\u0301\u0302',
    '❤',
    '\ufe0f',
    '⌚\ufe0e',
    '🇩🇪',
    '👩\u200d',
    '🏽',
    'क्ष',
    '\u0600',
    '\r\n',
    '\t',
    '\b',
    '\x1bM',
    '\x1bD',
    '\x1b7',
    '\x1b8',
    '\x1bc',
    '\x1b#8',
    '\x1b(0',
  ),
  fc.integer({ min: 0, max: 99 }).map((link) => `\x1b]8;;http://x/${link}\x07`),
);
const size = fc.record({ columns: fc.integer({ min: 1, max: 24 }), rows: fc.integer({ min: 1, max: ROWS_MAX }) });
const step = fc.record({
  output: fc.array(fc.oneof(text, sequence, mode), { maxLength: 12 }).map((parts) => parts.join('')),
  resize: fc.option(size, { freq: 4, nil: undefined }),
});

const rowsOf = (engine: TerminalEngine): number[][] =>
  Array.from({ length: engine.rows }, (_, row) => [...(engine.line(row)?.words ?? [])]);

test('after any output and any number of resizes cells are whole, and damage leads to the shown screen', () => {
  fc.assert(
    fc.property(size, fc.array(step, { maxLength: 12 }), (first, steps) => {
      const { engine, write } = startEngine({ ...first, saveLines: SAVE_LINES });
      let shown: number[][] = [];
      for (const { output, resize } of steps) {
        write(output);
        if (resize !== undefined) engine.resize(resize.columns, resize.rows);
        shown = show(shown, engine);
        const now = rowsOf(engine);
        expect(shown).toEqual(now);
        for (const words of now) {
          expect(words).toHaveLength(engine.columns * WORDS_PER_CELL);
          expect(findBrokenPair(words)).toBeUndefined();
        }
        // A lower window makes history of what was on the screen.
        expect(historyTexts(engine)).toBeLessThanOrEqual(SAVE_LINES + ROWS_MAX);
        const ids = Array.from(
          { length: engine.historyLines + engine.rows },
          (_, row) => engine.line(row - engine.historyLines)?.id,
        );
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.map((id) => engine.rowOf(id ?? 0))).toEqual(ids.map((_, row) => row - engine.historyLines));
      }
    }),
    { numRuns: RUNS },
  );
});

/** Returns the rows of a window that makes the scrolls and looks at marked rows only. */
function show(shown: number[][], engine: TerminalEngine): number[][] {
  const { scrolls, rows } = engine.takeDamage();
  const next = shown.length === engine.rows ? shown : Array.from({ length: engine.rows }, (): number[] => []);
  for (const { top, bottom, lines } of scrolls) {
    const region = next.slice(top, bottom + 1);
    for (let row = top; row <= bottom; row += 1) next[row] = region[row - top + lines] ?? next[row] ?? [];
  }
  const now = rowsOf(engine);
  return next.map((row, index) => (rows[index] === 1 ? (now[index] ?? []) : row));
}

function findBrokenPair(words: readonly number[]): number | undefined {
  for (let at = 0; at < words.length; at += WORDS_PER_CELL) {
    const isWide = ((words[at] ?? 0) & WIDE) !== 0;
    const isFollowed = ((words[at + WORDS_PER_CELL] ?? 0) & CONTINUATION) !== 0;
    if (isWide !== isFollowed) return at / WORDS_PER_CELL;
  }
  return undefined;
}
