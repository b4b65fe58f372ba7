import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { BLINK, BOLD, INVERSE, UNDERLINE_MASK } from '../../../src/termprog/engine/cell.ts';
import { desktop, test } from '../../harness/fixtures/shared-desktop.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import {
  checksumRequests,
  checksumsIn,
  type ReferenceTerminal,
  startReferenceTerminal,
} from '../../harness/reference-terminal.ts';
import { startEngine } from '../../harness/terminal-engine.ts';

const RUNS = fuzzRuns(3_000);
const COLUMNS = 12;
const ROWS = 6;
const CELLS = COLUMNS * ROWS;
const LONGEST_MS = 600_000;

/**
 * Attribute -> number that the reference terminal adds for it to the checksum of a cell, when its extension lets it.
 */
const WEIGHTS = { underline: 0x10, inverse: 0x20, blink: 0x40, bold: 0x80 };
const WITHOUT_ATTRIBUTES = '\x1b[23#y';
const WITH_ATTRIBUTES = '\x1b[21#y';

const REQUESTS = checksumRequests({ columns: COLUMNS, rows: ROWS });

/** Brings the reference terminal back to what ours begins with: a reset leaves mode 41 and the alternate screen. */
const NEW = '\x1bc\x1b[?41l\x1b[?47h\x1b[H\x1b[2J\x1b7\x1b[?47l\x1b[3g\x1b[1;9H\x1bH\x1b[H\x1b7';

/** Without it, the reference terminal restores modes that were never saved, or that were saved before a reset. */
const SAVED = '\x1b[?6;7;45;47;1048s';

/** After a soft reset the reference terminal forgets that cells are protected, until a program protects others. */
const PROTECTING = '\x1b["q';

const number = fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 14 }).map(String));
const csi = (finals: readonly string[], most: number) =>
  fc
    .tuple(fc.array(number, { maxLength: most }), fc.constantFrom(...finals))
    .map(([numbers, final]) => `\x1b[${numbers.join(';')}${final}`);
const coordinate = fc.integer({ min: 1, max: 14 });
const area = fc.tuple(coordinate, coordinate, coordinate, coordinate);
const areaText = area.map((corners) => corners.join(';'));
/** The reference terminal takes no stream whose end is left of its beginning. */
const ordered = area.map(([top, left, bottom, right]) =>
  [Math.min(top, bottom), Math.min(left, right), Math.max(top, bottom), Math.max(left, right)].join(';'),
);
const someOf = (codes: readonly string[]) =>
  fc.array(fc.constantFrom(...codes), { minLength: 1, maxLength: 3 }).map((chosen) => chosen.join(';'));
const setOrReset = (modes: readonly string[]) =>
  fc.tuple(fc.constantFrom(...modes), fc.constantFrom('h', 'l')).map(([mode, final]) => `\x1b[${mode}${final}`);

const parts: readonly [number, fc.Arbitrary<string>][] = [
  [4, fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'), maxLength: 15 })],
  [4, csi([...'@ABCDEFGHIJKLMPSX`abdef'], 2)],
  // Behind the last column the reference terminal goes back by CBT and still waits there; ours: decision 99
  [1, csi(['Z'], 1).map((sequence) => `\x1b[D${sequence}`)],
  [1, csi(["'}", "'~", ' @', ' A'], 1)],
  [1, csi(['r'], 2)],
  [1, csi(['s'], 2).map((sequence) => `\x1b[?69h${sequence}`)],
  [1, fc.constantFrom('\x1b[?69l\x1b[s', '\x1b[u')],
  [2, fc.constantFrom('\r', '\n', '\x0b', '\b', '\t', '\x1bM', '\x1bD', '\x1bE', '\x1b6', '\x1b9', '\x1b7', '\x1b8')],
  [
    1,
    fc.constantFrom(
      '\x1bH',
      '\x1b[g',
      '\x1b[3g',
      '\x1b#8',
      `\x1bc${SAVED}`,
      `\x1b[!p${PROTECTING}`,
      `\x1b[64;1"p${PROTECTING}`,
    ),
  ],
  [2, someOf(['0', '1', '4', '5', '7', '22', '24', '25', '27']).map((codes) => `\x1b[${codes}m`)],
  // It writes what it erases with the present attributes; ours: decision 99
  [1, areaText.map((corners) => `\x1b[m\x1b[${corners}$z`)],
  [1, areaText.map((corners) => `\x1b[${corners}\${`)],
  [1, areaText.map((corners) => `\x1b[42;${corners}$x`)],
  [1, fc.tuple(areaText, coordinate, coordinate).map(([from, row, column]) => `\x1b[${from};1;${row};${column};1$v`)],
  [1, fc.tuple(ordered, someOf(['0', '1', '4', '5', '7', '22', '27'])).map(([at, codes]) => `\x1b[${at};${codes}$r`)],
  [1, fc.tuple(ordered, someOf(['1', '4', '5', '7'])).map(([at, codes]) => `\x1b[${at};${codes}$t`)],
  [1, fc.constantFrom('\x1b[0*x', '\x1b[1*x', '\x1b[2*x')],
  [1, fc.constantFrom('\x1b[1"q', '\x1b["q', '\x1b[2"q')],
  [1, csi(['J', 'K'], 1).map((sequence) => sequence.replace('[', '[?'))],
  [1, setOrReset(['?6', '?7', '?45', '?69', '4', '20', '?41'])],
  [1, setOrReset(['?47', '?1047', '?1048', '?1049'])],
  [
    1,
    csi(['s', 's', 'r'], 0).chain((sequence) =>
      fc.constantFrom('6', '7', '45', '47', '1047', '1048', '1049').map((mode) => sequence.replace('[', `[?${mode}`)),
    ),
  ],
];
const part = fc.oneof(...parts.map(([weight, arbitrary]) => ({ weight, arbitrary })));

let reference: ReferenceTerminal;

test.beforeAll(async () => {
  reference = await startReferenceTerminal(desktop, { columns: COLUMNS, rows: ROWS });
});

afterAll(async () => {
  await reference[Symbol.asyncDispose]();
});

interface Seen {
  rows: string[];
  /** Attributes by row, two hexadecimal digits a cell. */
  attributes: string[];
  cursor: string | undefined;
}

test(
  'areas, both screens, saved modes and repeated characters leave text and attributes as the reference terminal does',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 20 }), async (some) => {
        const output = `${NEW}${SAVED}${some.join('')}`;
        expect(seenInOurs(output)).toEqual(await seenInReference(output));
      }),
      { numRuns: RUNS },
    );
  },
  LONGEST_MS,
);

/**
 * Contents of cells: wide characters that fit the line, marks that make one character with their base, and others that
 * don't.
 */
const content = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcXYZ 019'), maxLength: 10 }),
  fc.constantFrom('\r漢', '\x1b[3G字漢', 'e\u0301', 'x\u0336', 'é', '\x1b[6G😀', '\x1b[1;7mb\x1b[m', '\x1b[41m \x1b[m'),
  csi(['H', 'G', 'd', 'X', 'K'], 2),
);
const margins = fc.constantFrom('', '\x1b[2;5r', '\x1b[?6h', '\x1b[?69h\x1b[3;9s\x1b[2;5r\x1b[?6h');
const request = fc
  .tuple(fc.integer({ min: 0, max: 99 }), area)
  .map(([id, corners]) => `\x1b[${id};1;${corners.join(';')}*y`);

test(
  'the checksum of any area is that of the reference terminal',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { maxLength: 15 }),
        margins,
        fc.array(request, { minLength: 1, maxLength: 12 }),
        async (contents, limits, requests) => {
          const output = `${NEW}${contents.join('')}${limits}${requests.join('')}`;
          const { told, write } = startEngine({ columns: COLUMNS, rows: ROWS, saveLines: 0 });
          write(output);
          expect(told.replies).toBe(await reference.ask(output, requests.length));
        },
      ),
      { numRuns: RUNS },
    );
  },
  LONGEST_MS,
);

function seenOf(characters: readonly number[], attributes: readonly number[], cursor: string | undefined): Seen {
  const byRow = (cells: readonly string[]): string[] =>
    Array.from({ length: ROWS }, (_, row) => cells.slice(row * COLUMNS, (row + 1) * COLUMNS).join(''));
  return {
    rows: byRow(characters.map((code) => String.fromCharCode(code || 0x20))),
    attributes: byRow(attributes.map((sum) => sum.toString(16).padStart(2, '0'))),
    cursor,
  };
}

async function seenInReference(output: string): Promise<Seen> {
  const questions = `\x1b[?6n\x1b[?6l${WITHOUT_ATTRIBUTES}${REQUESTS}${WITH_ATTRIBUTES}${REQUESTS}`;
  const answer = await reference.ask(`${output}${questions}${WITHOUT_ATTRIBUTES}`, 2 * CELLS);
  const sums = checksumsIn(answer);
  const characters = sums.slice(0, CELLS);
  const attributes = characters.map((code, cell) => (sums[CELLS + cell] ?? 0) - code);
  return seenOf(characters, attributes, /\?([\d;]+)R/.exec(answer)?.[1]);
}

function seenInOurs(output: string): Seen {
  const { told, write, cell } = startEngine({ columns: COLUMNS, rows: ROWS, saveLines: 0 });
  write(output);
  told.replies = '';
  write(`\x1b[?6n\x1b[?6l${REQUESTS}`);
  const attributes = Array.from({ length: CELLS }, (_, index) => {
    const { foreground, background } = cell(Math.floor(index / COLUMNS), index % COLUMNS);
    const weigh = (isOn: boolean, weight: number): number => (isOn ? weight : 0);
    return (
      weigh((background & UNDERLINE_MASK) !== 0, WEIGHTS.underline) +
      weigh((foreground & INVERSE) !== 0, WEIGHTS.inverse) +
      weigh((foreground & BLINK) !== 0, WEIGHTS.blink) +
      weigh((foreground & BOLD) !== 0, WEIGHTS.bold)
    );
  });
  return seenOf(checksumsIn(told.replies), attributes, /\?([\d;]+)R/.exec(told.replies)?.[1]);
}
