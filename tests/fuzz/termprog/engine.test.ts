import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { processorMs } from '../../harness/processor-time.ts';
import { snapshotOf, startEngine } from '../../harness/terminal-engine.ts';

const RUNS = fuzzRuns(250);
const COLUMNS = 20;
const ROWS = 8;

/** Longest time for one stream of these, in milliseconds: generous, and far below what an unbounded number costs. */
const LONGEST_MS = 1_000;

const number = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(1_000_000_000, 65_536, 2_147_483_648));
const parameters = fc.array(number, { maxLength: 4 }).map((numbers) => numbers.join(';'));
const sequence = fc
  .tuple(
    fc.constantFrom('', '?', '>', '!'),
    parameters,
    fc.constantFrom('', ' ', '"', '$'),
    fc.constantFrom(...'@ABCDEFGHIJKLMPSTXZ`abcdefghlmnpqrstu'),
  )
  .map((parts) => `\x1b[${parts.join('')}`);
const string = fc
  .tuple(
    fc.constantFrom(...'P]X^_'),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('\x07', '\x1b\\', '\x18', ''),
  )
  .map(([introducer, text, end]) => `\x1b${introducer}2;${text}${end}`);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '漢字',
    'e\u0301\u0302',
    '\r\n',
    '\t',
    '\b',
    '\x0e',
    '\x0f',
    '\x1bM',
    '\x1bD',
    '\x1b7',
    '\x1b8',
    '\x1bc',
    '\x1b(0',
    '\x1b#8',
    '\x9b5n',
  ),
);
const chunk = fc.oneof(
  sequence.map((part) => Buffer.from(part, 'utf8')),
  string.map((part) => Buffer.from(part, 'utf8')),
  text.map((part) => Buffer.from(part, 'utf8')),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
);
const stream = fc.array(chunk, { maxLength: 40 }).map((chunks) => Buffer.concat(chunks));

const start = () => startEngine({ columns: COLUMNS, rows: ROWS, saveLines: 50 });

test('any output leaves the cursor on the screen, does not throw, and takes a bounded time', () => {
  fc.assert(
    fc.property(stream, (bytes) => {
      const { engine } = start();
      expect(processorMs(() => engine.write(bytes))).toBeLessThan(LONGEST_MS);
      const { column, row } = engine.cursor;
      expect(column >= 0 && column < COLUMNS && row >= 0 && row < ROWS).toBe(true);
      expect(engine.historyLines).toBeLessThanOrEqual(50);
    }),
    { numRuns: RUNS },
  );
});

test('the screen is the same however output is split', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat({ max: 400 }), { maxLength: 6 }), (bytes, places) => {
      const whole = start();
      whole.engine.write(bytes);
      const parts = start();
      const cuts = [0, ...places.filter((place) => place < bytes.length).toSorted((a, b) => a - b), bytes.length];
      for (const [index, cut] of cuts.entries()) {
        if (index > 0) parts.engine.write(bytes.subarray(cuts[index - 1], cut));
      }
      expect(snapshotOf(parts.engine)).toEqual(snapshotOf(whole.engine));
      expect(parts.told).toEqual(whole.told);
    }),
    { numRuns: RUNS },
  );
});

test('resizing between any two outputs keeps the cursor on the screen', () => {
  const step = fc.tuple(stream, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 30 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4 }), (steps) => {
      const { engine } = start();
      for (const [bytes, columns, rows] of steps) {
        engine.write(bytes);
        engine.resize(columns, rows);
        const { column, row } = engine.cursor;
        expect(column >= 0 && column < engine.columns && row >= 0 && row < engine.rows).toBe(true);
      }
    }),
    { numRuns: RUNS },
  );
});
