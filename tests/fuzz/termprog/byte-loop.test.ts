import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CellLine } from '../../../src/termprog/engine/cell.ts';
import { ControlParser } from '../../../src/termprog/engine/control-parser.ts';
import { controlFunctions } from '../../../src/termprog/engine/functions/index.ts';
import { Screen } from '../../../src/termprog/engine/screen.ts';
import { TerminalState } from '../../../src/termprog/engine/terminal-state.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { IDENTITY, startEngine } from '../../harness/terminal-engine.ts';

const RUNS = fuzzRuns(20_000, 60);
const SIZE = { columns: 12, rows: 5 };
const SAVE_LINES = 40;

/** Much of it must be plain text, or the other way is never taken. */
const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));

const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: printable, maxLength: 15 }) },
  { weight: 4, arbitrary: fc.constantFrom('\r\n', '\n', '\r', '\n\r', '\t', '\b', '\x7f', '\x0e', '\x0f') },
  // These continue the text before them, or are continued by the text behind them.
  { weight: 3, arbitrary: fc.constantFrom('\x1b[3b', '\u0301', '\u0600', '\u200d', '漢', '🇩', 'é', '\x1b[?2027h') },
  fc.string({ unit: 'binary-ascii', maxLength: 8 }),
  fc.constantFrom(
    'слово',
    'été',
    '漢字漢字漢',
    'a漢é',
    '\u00a0\u00ad',
    '한글',
    '👍🏽',
    '👩\u200d👧',
    '𝐀',
    '\ufe0f',
    '\u0085',
  ),
  fc.constantFrom('\x1b(0', '\x1b(B', '\x1b[4h', '\x1b[4l', '\x1b[?7l', '\x1b[?7h', '\x1b[20h', '\x1b[20l', '\x1bc'),
  fc.constantFrom('\x1b[31;42m', '\x1b[m', '\x1b[1"q', '\x1b[0"q', '\x1b[58;5;3m', '\x1b]8;;http://a\x07'),
  fc.constantFrom('\x1b[2;4r', '\x1b[r', '\x1b[?69h\x1b[3;9s', '\x1b[?69l', '\x1b[?1049h', '\x1b[?1049l', '\x1b[H'),
  // A number that is left out, and one that is 0; REP right behind a character, and behind something else.
  fc.constantFrom('x\x1b[T', 'x\x1b[0T', 'x\x1b[3b', 'x\x1b[m\x1b[3b', 'x\t\x1b[3b', '\x1b[?u'),
  fc.constantFrom('\x1b', '\x1b[', '\x1b]0;', '\x1bP$q', '\x1b[3;', '\x1b[5X', '\x1b[?6h', '\x9b', '\x1b\\'),
);
/** Sequences with numbers that are left out, too great, or too many; of functions that exist, and of unknown ones. */
const controlSequence = fc
  .tuple(
    fc.constantFrom('', '', '?', '>', '='),
    fc.array(fc.oneof(fc.nat({ max: 12 }), fc.constantFrom('', '', 38, 48, 58, 5, 65_536, 9_999_999_999)), {
      maxLength: 8,
    }),
    fc.constantFrom(';', ';', ';', ':'),
    fc.oneof(
      fc.integer({ min: 0x40, max: 0x7e }).map((code) => String.fromCharCode(code)),
      fc.constantFrom('m', '$p', ' q'),
    ),
  )
  .map(([marker, numbers, separator, final]) => `\x1b[${marker}${numbers.join(separator)}${final}`);

/** DEL, controls and other characters may stand anywhere. */
const disturbedSequence = fc
  .tuple(controlSequence, fc.nat(), fc.string({ unit: 'binary-ascii', maxLength: 2 }))
  .map(([sequence, place, intruder]) => {
    const at = place % (sequence.length + 1);
    return `${sequence.slice(0, at)}${intruder}${sequence.slice(at)}`;
  });

/** Attributes, as many as the parser keeps and more, and colours in each of their forms. */
const rendition = fc
  .tuple(
    fc.oneof(
      fc.array(fc.constantFrom('4', '9', '7', '24', '29', '27', ''), { maxLength: 4 }),
      fc.array(fc.constantFrom('4', '9', '7', '24', '29', '27', '31', ''), { minLength: 30, maxLength: 35 }),
      fc.constantFrom(['38', '5', '3'], ['48', '2', '9', '8', '7'], ['4', '3'], ['31', '4294967297']),
    ),
    fc.constantFrom(';', ':'),
  )
  .map(([numbers, separator]) => `\x1b[${numbers.join(separator)}mx`);

/** Text, sequences, or bytes that may be the beginning of a character. */
const part = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .oneof(
        { weight: 8, arbitrary: text },
        { weight: 6, arbitrary: controlSequence },
        { weight: 2, arbitrary: disturbedSequence },
        { weight: 3, arbitrary: rendition },
      )
      .map((characters) => Buffer.from(characters)),
  },
  fc.constantFrom([0xc3], [0xe6, 0xbc], [0xf0, 0x9f, 0x98], [0x80], [0xff]).map((bytes) => Buffer.from(bytes)),
);

test('output has the effect that it has when all of it is decoded and parsed, wherever it is cut', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), fc.array(fc.nat(), { maxLength: 6 }), (parts, cuts) => {
      const bytes = Buffer.concat(parts);
      expect(writeAll(bytes, cuts)).toEqual(parseAll(bytes));
    }),
    { numRuns: RUNS },
  );
});

const FOLDER = join(import.meta.dirname, '../../golden/termprog/recordings');

/** Bytes between two cuts: whole sequences and words are among the pieces. */
const APART = 40;

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.bytes'))) {
  test(`the content of ${name} has the same effect when it is cut at every byte`, () => {
    const bytes = readFileSync(join(FOLDER, name));
    const expected = parseAll(bytes);
    expect(writeAll(bytes, Array.from(bytes.keys()))).toEqual(expected);
    for (let first = 0; first < APART; first += 1) {
      const cuts = Array.from({ length: Math.floor(bytes.length / APART) }, (_, index) => first + index * APART);
      expect(writeAll(bytes, cuts)).toEqual(expected);
    }
  });
}

test('text that comes behind a character it continues joins that', () => {
  const { engine, write } = startEngine({ ...SIZE, saveLines: 0, graphemeClusters: true });

  // An Arabic number sign continues into any next character.
  for (const piece of ['\u0600', 'a', 'b']) write(piece);

  expect(engine.cursor.column).toBe(2);
});

/** Everything is decoded and parsed: what the loop must not differ from. */
function parseAll(bytes: Uint8Array): string[] {
  const screen = new Screen(SIZE, SAVE_LINES);
  const { host, told } = startEngine(SIZE);
  const state = new TerminalState(screen, host, IDENTITY);
  new ControlParser(controlFunctions, state, state.printer).parse(bytes, 0, bytes.length);
  return [told.replies, ...contentOf((row) => screen.grid.line(row), screen)];
}

/** The loop takes what is plain, and the parser the rest. */
function writeAll(bytes: Uint8Array, cuts: readonly number[]): string[] {
  const { engine, told } = startEngine({ ...SIZE, saveLines: SAVE_LINES });
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  for (const [at, start] of [0, ...places].entries()) engine.write(bytes.subarray(start, places[at] ?? bytes.length));
  return [told.replies, ...contentOf((row) => engine.line(row), engine.cursor)];
}

function contentOf(
  line: (row: number) => CellLine | undefined,
  { column, row: cursorRow }: { column: number; row: number },
): string[] {
  const shown = [`${column} ${cursorRow}`];
  for (let row = SIZE.rows - 1; ; row -= 1) {
    const found = line(row);
    if (found === undefined) return shown;
    shown.push(`${found.isWrapped ? 'wrapped' : 'ended'} ${found.words.join(' ')}`);
  }
}
