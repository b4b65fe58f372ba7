/**
 * compare.ts connector-compare OLD NEW [--runs 5] [--quick] [--json] [serving] [unread] [ingest] [memory]
 * Runs the benchmark of the connector with the builds of two checkouts by turns, and prints the medians of each row.
 */
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { compareRuns, type RowChange, type Run } from './changes.ts';
import type { BenchResult } from './result.ts';

const RUNS = 5;
const EXIT_USAGE = 64;

const { values: options, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: String(RUNS) },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [, older, newer, ...parts] = positionals;

if (older === undefined || newer === undefined) {
  console.error('bench: name two checkouts: connector-compare OLD NEW');
  process.exitCode = EXIT_USAGE;
} else {
  const runs: Run[] = [];
  try {
    for (let number = 1; number <= Number(options.runs); number += 1) runs.push(await runBoth(number, older, newer));
  } catch (error) {
    // The runs so far are printed nevertheless, because each takes minutes.
    console.error(error);
    process.exitCode = 1;
  }
  if (runs.length > 0) print(compareRuns(runs));
}

/** Measures both builds. Each begins as often as the other, because the second may find a warmer machine. */
async function runBoth(number: number, oldCheckout: string, newCheckout: string): Promise<Run> {
  const run: Partial<Run> = {};
  for (const side of number % 2 === 1 ? (['older', 'newer'] as const) : (['newer', 'older'] as const)) {
    console.error(`run ${number} of ${options.runs}: the ${side} build`);
    run[side] = await measure(side === 'older' ? oldCheckout : newCheckout);
  }
  const { older: before = [], newer: after = [] } = run;
  return { older: before, newer: after };
}

/** Measures in a process of its own, like a run by hand. */
async function measure(checkout: string): Promise<BenchResult[]> {
  const quick = options.quick ? ['--quick'] : [];
  const bench = ['bench/main.ts', 'connector', '--json', '--build', checkout, ...quick, ...parts];
  const { stdout } = await execa(process.execPath, bench, { stderr: 'inherit' });
  return (JSON.parse(stdout) as { results: BenchResult[] }).results;
}

function print(changes: readonly RowChange[]): void {
  if (options.json) {
    console.log(JSON.stringify({ program: 'connector', runs: Number(options.runs), changes }, null, 2));
    return;
  }
  const width = Math.max(...changes.map(({ what }) => what.length));
  const columns = ['old', '(least-most)', 'new', '(least-most)', 'new/old', 'to peer'];
  console.log(`${''.padEnd(width)}${columns.map((column) => column.padStart(18)).join('')}  goal`);
  for (const { what, unit, older: before, newer: after, change, toPeer, goal, isSlower } of changes) {
    const spread = (least: number, most: number): string => `(${least.toFixed(2)}-${most.toFixed(2)})`;
    const cells = [
      `${before.median.toFixed(2)} ${unit}`,
      spread(before.least, before.most),
      `${after.median.toFixed(2)} ${unit}`,
      spread(after.least, after.most),
      change.toFixed(2),
      `${toPeer.older.toFixed(2)} -> ${toPeer.newer.toFixed(2)}`,
    ];
    const line = `${what.padEnd(width)}${cells.map((cell) => cell.padStart(18)).join('')}  ${goal}`;
    console.log(isSlower ? `${line}  SLOWER` : line);
  }
}
