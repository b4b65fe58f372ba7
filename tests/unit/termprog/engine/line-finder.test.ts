import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TerminalEngine } from '../../../../src/termprog/engine/terminal-engine.ts';
import { fuzzRuns } from '../../../harness/fuzz-runs.ts';
import { startEngine } from '../../../harness/terminal-engine.ts';

/** Rows by the ids of their lines. */
function rowsById(engine: TerminalEngine): Map<number, number> {
  const rows = Array.from({ length: engine.historyLines + engine.rows }, (_, index) => index - engine.historyLines);
  return new Map(rows.map((row) => [engine.line(row)?.id ?? 0, row]));
}

test('a line is found by its id wherever it went, as by a look at all lines', () => {
  const output = ['\r\n', '\x1b[3;6r', '\x1b[r', '\x1b[L', '\x1b[2M', '\x1b[3;1H', '\x1b[8;1H', '\x1b[3J'];
  const step = fc.constantFrom('resize', ...output);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { engine, write } = startEngine({ columns: 10, rows: 8, saveLines: 12 });
      const known = new Set<number>();
      for (const now of steps) {
        if (now === 'resize') engine.resize(16 - engine.columns, 8);
        else write(`text that wraps${now}`);
        const rows = rowsById(engine);
        for (const id of rows.keys()) known.add(id);
        for (const id of known) expect(engine.rowOf(id)).toBe(rows.get(id));
      }
    }),
    { numRuns: fuzzRuns(100) },
  );
});
