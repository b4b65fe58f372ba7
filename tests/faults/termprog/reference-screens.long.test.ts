import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { type ReferenceTerminal, startReferenceTerminal } from '../../harness/reference-terminal.ts';
import { startEngine, textOf } from '../../harness/terminal-engine.ts';

const RUNS = fuzzRuns(4_000);
const COLUMNS = 12;
const ROWS = 6;
const LONGEST_MS = 600_000;

const number = fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 14 }).map(String));
const csi = (finals: readonly string[], most: number) =>
  fc
    .tuple(fc.array(number, { maxLength: most }), fc.constantFrom(...finals))
    .map(([numbers, final]) => `\x1b[${numbers.join(';')}${final}`);
const marginPair = (most: number) =>
  fc.tuple(fc.integer({ min: 1, max: most - 1 }), fc.integer({ min: 2, max: most })).map((pair) => pair.join(';'));
/** Without a coordinate that is left out: in origin mode xterm then counts a margin twice. */
const place = fc.integer({ min: 1, max: 14 });
const area = fc.tuple(place, place, place, place).map((corners) => corners.join(';'));
const part = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'), maxLength: 15 }),
  },
  { weight: 6, arbitrary: csi([...'@ABCDEFGHIJKLMPSTX`ade'], 2) },
  // Behind the last column xterm goes back by CBT and still waits there; ours: decision 99
  { weight: 1, arbitrary: csi(['Z'], 1).map((sequence) => `\x1b[D${sequence}`) },
  { weight: 2, arbitrary: csi(["'}", "'~", ' @', ' A'], 1) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('$z', '${').chain((final) => area.map((corners) => `\x1b[${corners}${final}`)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(area, place, place).map(([from, row, column]) => `\x1b[${from};1;${row};${column};1$v`),
  },
  { weight: 1, arbitrary: area.map((corners) => `\x1b[42;${corners}$x`) },
  { weight: 2, arbitrary: marginPair(ROWS).map((pair) => `\x1b[${pair}r`) },
  { weight: 3, arbitrary: marginPair(COLUMNS).map((pair) => `\x1b[?69h\x1b[${pair}s`) },
  {
    weight: 4,
    arbitrary: fc.constantFrom('\r', '\n', '\b', '\t', '\x1bM', '\x1bD', '\x1bE', '\x1b6', '\x1b9', '\x1b7', '\x1b8'),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        '?6h',
        '?6l',
        '?7h',
        '?7l',
        '?45h',
        '?45l',
        '?69l',
        '4h',
        '4l',
        '20h',
        '20l',
        '!p',
        'r',
        '1"q',
        '0"q',
      )
      .map((rest) => `\x1b[${rest}`),
  },
);

/** Brings the reference terminal back to what ours begins with, without erasing its patience. */
const NEW = '\x1bc\x1b[3g\x1b[1;9H\x1bH\x1b[H\x1b7';

/** Is ignored, and ends a run of text. */
const NOTHING = '\x1b[?9999l';

/** Character by character: xterm inserts a run of text as a whole, so that margins count for its first character alone. */
const apart = (sequence: string): string => (/^[a-z0-9]+$/.test(sequence) ? [...sequence].join(NOTHING) : sequence);

let reference: ReferenceTerminal;

test.beforeAll(async () => {
  reference = await startReferenceTerminal(desktop, { columns: COLUMNS, rows: ROWS });
});

afterAll(async () => {
  await reference[Symbol.asyncDispose]();
});

test(
  'with margins on all sides, text is where the reference terminal has it',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 25 }), async (parts) => {
        const output = `${NEW}${parts.join('')}`;
        const { engine, told, write } = startEngine({ columns: COLUMNS, rows: ROWS, saveLines: 0 });
        write(`${output}\x1b[?6n`);
        const seen = await reference.show(`${NEW}${parts.map(apart).join('')}`);

        const rows = Array.from({ length: ROWS }, (_, row) => textOf(engine, row).padEnd(COLUMNS));
        expect({ rows, cursor: told.replies.slice(3, -1) }).toEqual(seen);
      }),
      { numRuns: RUNS },
    );
  },
  LONGEST_MS,
);
