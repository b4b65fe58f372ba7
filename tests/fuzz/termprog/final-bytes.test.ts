import { expect, test } from 'vitest';
import { processorMs } from '../../harness/processor-time.ts';
import { ANSWERS, shown } from '../../harness/terminal-answers.ts';
import { startEngine } from '../../harness/terminal-engine.ts';

const COLUMNS = 80;
const ROWS = 24;

/** Highest cost of one sequence, and how often it is measured again: garbage is collected in some tries. */
const COST_MAX_MS = 5;
const TRIES = 20;

const characters = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));

const PRIVATE_MARKERS = ['', '<', '=', '>', '?'];
const INTERMEDIATES = ['', ...characters(0x20, 0x2f)];
const FINALS = characters(0x40, 0x7e);

const HUGE = '1000000000';
const PARAMETERS = [
  '',
  HUGE,
  [HUGE, HUGE].join(';'),
  ['1', '1', HUGE, HUGE, HUGE, HUGE].join(';'),
  ['88', '1', '1', HUGE, HUGE].join(';'),
  Array.from({ length: 40 }, () => HUGE).join(';'),
  Array.from({ length: 40 }, () => HUGE).join(':'),
  Array.from({ length: 40 }, () => '0').join(';'),
];

const openings = PRIVATE_MARKERS.flatMap((marker) => INTERMEDIATES.map((intermediate) => ({ marker, intermediate })));

/** A full screen, margins on all sides, and the cursor between them. */
const SCREEN = `\x1bc${'x'.repeat(COLUMNS * ROWS)}\x1b[?69h\x1b[2;79s\x1b[2;23r\x1b[12;40Hy`;

for (const [what, introducer, text, end] of [
  ['control sequence', '\x1b[', '', ''],
  ['device control string', '\x1bP', '41;?;m', '\x1b\\'],
] as const) {
  test(`a ${what} of any final byte and parameters costs at most ${COST_MAX_MS} ms, and stays in the grid`, () => {
    const { engine, write, told } = startEngine({ columns: COLUMNS, rows: ROWS, saveLines: 1_024 });
    let slowest = { ms: 0, sequence: '' };
    for (const { marker, intermediate } of openings) {
      for (const final of FINALS) {
        write(SCREEN);
        for (const parameters of PARAMETERS) {
          const sequence = `${introducer}${marker}${parameters}${intermediate}${final}${text}${end}`;
          const ms = costOf(() => write(`y${sequence}`));
          if (ms > slowest.ms) slowest = { ms, sequence };
          const { column, row } = engine.cursor;
          expect(column < COLUMNS && row < ROWS, JSON.stringify(sequence)).toBe(true);
        }
      }
    }
    expect(shown(told.replies)).toMatch(ANSWERS);
    expect(slowest.ms, JSON.stringify(slowest.sequence)).toBeLessThan(COST_MAX_MS);
  });
}

/** The least of a few tries, when the first takes long. */
function costOf(act: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && least >= COST_MAX_MS; tries += 1) {
    least = Math.min(least, processorMs(act));
  }
  return least;
}
