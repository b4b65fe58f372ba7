import { expect, test } from 'vitest';
import { compilePattern, createFold } from '../../../../src/termprog/search/pattern.ts';
import { RowNumbers } from '../../../../src/termprog/search/row-numbers.ts';
import { Scan } from '../../../../src/termprog/search/scan.ts';
import { startEngine } from '../../../harness/terminal-engine.ts';

for (const [what, text] of [
  ['lines of thirty rows', `${'x'.repeat(30 * 300)}\r\n`.repeat(100)],
  ['a line of all rows', 'x'.repeat(3_000 * 300)],
  ['lines of one row', `${'x'.repeat(299)}\r\n`.repeat(3_000)],
  ['empty lines', '\r\n'.repeat(3_000)],
] as const) {
  test(`a scan of ${what} looks at few cells without a look at the clock`, () => {
    const { scan, cellsAtOnce } = scanAll(text, 'nothing', 300);
    expect(scan.isDone).toBe(true);
    expect(cellsAtOnce).toBeLessThan(40_000);
  });
}

test('a line whose characters all match is looked through up to the most matches', () => {
  const { scan } = scanAll('x'.repeat(600 * 300), 'x', 300);
  expect([scan.matches.count >= 100_000, scan.isCut, scan.isDone]).toEqual([true, true, true]);
});

/** Scans all of a terminal that shows a text, and returns the most cells that were read in one go. */
function scanAll(text: string, query: string, columns: number) {
  const { engine, write } = startEngine({ columns, rows: 24, saveLines: 20_000 });
  write(text);
  const rows = new Set<number>();
  let most = 0;
  const view = {
    columns: engine.columns,
    rows: engine.rows,
    historyLines: engine.historyLines,
    clusterText: (number: number) => engine.clusterText(number),
    line: (row: number) => {
      rows.add(row);
      return engine.line(row);
    },
  };
  const look = (): boolean => {
    most = Math.max(most, rows.size * columns);
    rows.clear();
    return false;
  };
  const scan = new Scan(view, new RowNumbers(view), compilePattern(query, createFold()));
  look();
  scan.goOn(look);
  look();
  return { scan, cellsAtOnce: most };
}
