import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONTINUATION, WIDE, WORDS_PER_CELL } from '../../../src/termprog/engine/cell.ts';
import type { TerminalEngine } from '../../../src/termprog/engine/terminal-engine.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { processorMs } from '../../harness/processor-time.ts';
import { ANSWERS, shown } from '../../harness/terminal-answers.ts';
import { historyTexts, snapshotOf, startEngine } from '../../harness/terminal-engine.ts';

const RUNS = fuzzRuns(600);
const FOLDER = join(import.meta.dirname, '../../golden/termprog/recordings');
const SAVE_LINES = 60;
const ROWS_MAX = 40;

/** Longest time for a mutated part of a recording, in milliseconds: far above what it takes. */
const LONGEST_MS = 1_000;

/** Parts of a recording that are mutated in one run. */
const PARTS_MAX = 150;

/**
 * Parts of a program's output: control strings, control sequences, other controls, and text in between. ESC is ␛ and
 * BEL is ␇ in it.
 */
const TOKEN = /␛[P\]X^_][^␇␛]*(?:␇|␛\\)?|␛\[[0-?]*[ -/]*[@-~]?|␛[ -/]*[0-~]?|[\p{Cc}␇]|[^\p{Cc}␇␛]+/gu;

const recordings = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.bytes'))
  .map((name) => ({ name, tokens: shown(readFileSync(join(FOLDER, name), 'utf8')).match(TOKEN) ?? [] }));
const allTokens = recordings.flatMap(({ tokens }) => tokens);

const place = fc.nat({ max: 1_000_000 });
const extreme = fc.constantFrom('0', '1', '65535', '65536', '1000000000', '2147483648', '99999999999999999999', '');
const character = fc.oneof(
  fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
  fc.constantFrom('漢', '\u0301', '\u200d', '\ufe0f', '🏽', '🇩', '\u0600', '\ufffd'),
);
const finals = '@ABCDEFGHIJKLMPSTXZ`abcdefghlmnpqrstuvwxyz{|}~';

/** One change of a list of tokens; `at` chooses the token. */
type Mutation = (tokens: string[], at: number) => void;

const change =
  (make: (token: string) => string): Mutation =>
  (tokens, at) => {
    tokens[at] = make(tokens[at] ?? '');
  };

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constant<Mutation>((tokens, at) => void tokens.splice(at, 1)),
  fc.integer({ min: 2, max: 30 }).map((times) => change((token) => token.repeat(times))),
  place.map(
    (other): Mutation =>
      (tokens, at) =>
        void tokens.splice(at, 0, allTokens[other % allTokens.length] ?? ''),
  ),
  place.map(
    (other): Mutation =>
      (tokens, at) => {
        const to = other % tokens.length;
        [tokens[at], tokens[to]] = [tokens[to] ?? '', tokens[at] ?? ''];
      },
  ),
  extreme.map((digits) => change((token) => token.replace(/\d+/, digits))),
  extreme.map((digits) => change((token) => token.replaceAll(/\d+/g, digits))),
  extreme.map((digits) => change((token) => token.replace(/^(␛\[[<-?]?)/u, `$1${digits};`))),
  fc.constantFrom(...finals).map((final) => change((token) => token.replace(/^(␛\[.*).$/su, `$1${final}`))),
  fc
    .constantFrom('?', '>', '=', '<', '')
    .map((marker) => change((token) => token.replace(/^␛\[[<-?]?/u, `␛[${marker}`))),
  place.map((cut) => change((token) => token.slice(0, cut % (token.length + 1)))),
  fc.tuple(place, character).map(([cut, text]) =>
    change((token) => {
      const to = cut % (token.length + 1);
      return token.slice(0, to) + text + token.slice(to);
    }),
  ),
);

interface Play {
  bytes: Buffer;
  /** Places at which the output is cut, and the size that the terminal gets there. */
  cuts: { at: number; columns: number; rows: number }[];
}

const play: fc.Arbitrary<Play> = fc
  .record({
    which: fc.nat({ max: recordings.length - 1 }),
    start: place,
    mutations: fc.array(fc.tuple(mutation, place), { minLength: 1, maxLength: 12 }),
    cuts: fc.array(fc.tuple(place, fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: ROWS_MAX })), {
      maxLength: 5,
    }),
  })
  .map(({ which, start, mutations, cuts }) => {
    const { tokens } = recordings[which] ?? { tokens: [] };
    const first = start % tokens.length;
    const some = tokens.slice(first, first + PARTS_MAX);
    for (const [mutate, at] of mutations) if (some.length > 0) mutate(some, at % some.length);
    const bytes = Buffer.from(some.join('').replaceAll('␛', '\x1b').replaceAll('␇', '\x07'), 'utf8');
    const places = cuts.map(([at, columns, rows]) => ({ at: at % (bytes.length + 1), columns, rows }));
    return { bytes, cuts: places.toSorted((one, other) => one.at - other.at) };
  });

const start = () => startEngine({ columns: 80, rows: 24, saveLines: SAVE_LINES });

test('every recording has what programs send', () => {
  expect(recordings.map(({ name }) => name)).toEqual(['less.bytes', 'shell.bytes', 'tmux.bytes', 'vim.bytes']);
  for (const { tokens } of recordings) expect(tokens.length).toBeGreaterThan(50);
});

test('any change of a recording takes bounded time, leaves whole cells, and gets well-formed answers', () => {
  fc.assert(
    fc.property(play, ({ bytes, cuts }) => {
      const { engine, write, told, text } = start();
      const playAll = (): void => {
        let from = 0;
        for (const { at, columns, rows } of cuts) {
          engine.write(bytes.subarray(from, at));
          from = at;
          engine.resize(columns, rows);
          expectWhole(engine);
        }
        engine.write(bytes.subarray(from));
        expectWhole(engine);
      };
      expect(processorMs(playAll)).toBeLessThan(LONGEST_MS);
      expect(shown(told.replies)).toMatch(ANSWERS);
      write('\x18\x1bc');
      engine.resize(80, 24);
      write('still here');
      expect(text(0)).toBe('still here');
    }),
    { numRuns: RUNS },
  );
});

test('a mutated recording looks the same however it is cut', () => {
  fc.assert(
    fc.property(play, ({ bytes, cuts }) => {
      const whole = start();
      whole.engine.write(bytes);
      const inBytes = start();
      for (let at = 0; at < bytes.length; at += 1) inBytes.engine.write(bytes.subarray(at, at + 1));
      expect(inBytes.told).toEqual(whole.told);
      expect(snapshotOf(inBytes.engine)).toEqual(snapshotOf(whole.engine));
      const inParts = start();
      let from = 0;
      for (const { at } of cuts) {
        inParts.engine.write(bytes.subarray(from, at));
        from = at;
      }
      inParts.engine.write(bytes.subarray(from));
      expect(snapshotOf(inParts.engine)).toEqual(snapshotOf(whole.engine));
    }),
    { numRuns: Math.ceil(RUNS / 5) },
  );
});

function expectWhole(engine: TerminalEngine): void {
  const { columns, rows, cursor } = engine;
  expect(cursor.column >= 0 && cursor.column < columns && cursor.row >= 0 && cursor.row < rows).toBe(true);
  // A lower window makes history of what was on the screen.
  expect(historyTexts(engine)).toBeLessThanOrEqual(SAVE_LINES + ROWS_MAX);
  for (let row = 0; row < rows; row += 1) {
    const words = engine.line(row)?.words ?? new Uint32Array();
    expect(words).toHaveLength(columns * WORDS_PER_CELL);
    for (let at = 0; at < words.length; at += WORDS_PER_CELL) {
      const isFollowed = ((words[at + WORDS_PER_CELL] ?? 0) & CONTINUATION) !== 0;
      if ((((words[at] ?? 0) & WIDE) !== 0) !== isFollowed) expect.fail(`half a character in row ${row}`);
    }
  }
}
