import xterm from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { startEngine, textOf } from '../../harness/terminal-engine.ts';

const RUNS = fuzzRuns(800);
const COLUMNS = 14;
const ROWS = 6;

const number = fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 18 }).map(String));
const sequence = (finals: string) =>
  fc
    .tuple(fc.array(number, { maxLength: 2 }), fc.constantFrom(...finals))
    .map(([numbers, final]) => `\x1b[${numbers.join(';')}${final}`);
/** Both screens mean the same by these; where they don't on purpose, a test of its own says what ours does. */
const part = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
  sequence('@ABCDEFGHIJKLMPSX`adefm'),
  fc.constantFrom('\r\n', '\n', '\r', '\t', '\b', '\x1bM', '\x1bD', '\x1bE', '\x1b[2;5r', '\x1b[r'),
  fc.constantFrom('漢字', 'é', 'e\u0301', '\x1b(0', '\x1b(B', '\x1b[4h', '\x1b[4l', '\x1b[?7l', '\x1b[?7h'),
  fc.constantFrom('\x1b[r\x1b[?1049l\x1b[?1049h\x1b[r', '\x1b[r\x1b[?1049l\x1b[r', 'x\x1b[7b', '\x1b[!p', '\x1b[3T'),
);

test('the screen holds the text that another terminal has there', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      // Both begin with a saved cursor: what is restored without one differs.
      const text = `\x1b7${parts.join('')}`;
      const { engine, write } = startEngine({ columns: COLUMNS, rows: ROWS, saveLines: 50 });
      write(text);
      expect(Array.from({ length: ROWS }, (_, row) => textOf(engine, row))).toEqual(oracle(text));
    }),
    { numRuns: RUNS },
  );
});

function oracle(text: string): string[] {
  const terminal = new xterm.Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: 50,
    allowProposedApi: true,
    logLevel: 'off',
  });
  // The public interface parses later.
  (terminal as unknown as { _core: { _writeBuffer: { writeSync(text: string): void } } })._core._writeBuffer.writeSync(
    text,
  );
  const { active } = terminal.buffer;
  return Array.from(
    { length: ROWS },
    (_, row) =>
      active
        .getLine(active.baseY + row)
        ?.translateToString(true)
        .trimEnd() ?? '',
  );
}
