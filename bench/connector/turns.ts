/**
 * main.ts connector-turns OLD NEW [--starts 5] [--rounds 8] [--quick] [--json] [--only WORDS]
 * Runs the connectors of two checkouts at the same time, calls one and then the other for a second each, and prints the
 * medians and the median of the ratios of neighbouring seconds. Noise of the machine affects both, so that smaller
 * differences show than in connector-compare. Each start is new for both: two processes of one build differ by several
 * percent for as long as they run. OLD twice shows how much equal builds seem to differ. --only measures the rows whose
 * name contains the words.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { quantile } from '../quantile.ts';
import { type Contest, type Round, rateOf } from './rounds.ts';
import { prepareUnread, type Unread } from './unread.ts';

const STARTS = 5;
const ROUNDS = 8;
const QUICK_SCALE = 0.1;
const CLIENT_COUNTS = [8, 1];
const CONTEST_DEADLINE_MS = 600_000;
const EXIT_USAGE = 64;

/** Rounds of the new build, and of the old one. */
type Sides = [Round[], Round[]];

/** One kind of call at both builds. */
interface TurnsRow {
  what: string;
  figures: readonly Figure[];
}

interface Figure {
  name: string;
  unit: string;
  older: number;
  newer: number;
  /** Ratio of the new build to the old one: median over the rounds, and its quartiles. */
  ratio: { low: number; median: number; high: number };
}

const { values: options, positionals } = parseArgs({
  options: {
    starts: { type: 'string', default: String(STARTS) },
    rounds: { type: 'string', default: String(ROUNDS) },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
  allowPositionals: true,
});
const [, older, newer] = positionals;

if (older === undefined || newer === undefined) {
  console.error('bench: name two checkouts: connector-turns OLD NEW');
  process.exitCode = EXIT_USAGE;
} else {
  const folder = mkdtempSync(join(tmpdir(), 'hpt-'));
  try {
    await compare(folder, older, newer);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function compare(folder: string, oldCheckout: string, newCheckout: string): Promise<void> {
  const all = new Map<string, Sides>();
  for (let start = 1; start <= Number(options.starts); start += 1) {
    console.error(`start ${start} of ${options.starts}`);
    for (const [what, sides] of await playOnce(join(folder, `${start}`), oldCheckout, newCheckout)) {
      const before = all.get(what);
      all.set(what, before === undefined ? sides : [before[0].concat(sides[0]), before[1].concat(sides[1])]);
    }
  }
  const rows = [...all].map(([what, sides]): TurnsRow => ({ what, figures: figuresOf(sides) }));
  if (options.json) console.log(JSON.stringify({ program: 'connector-turns', rows }));
  else for (const row of rows) print(row);
}

/** All rows with one process of each build. */
async function playOnce(folder: string, oldCheckout: string, newCheckout: string): Promise<[string, Sides][]> {
  const scale = options.quick ? QUICK_SCALE : 1;
  const prepare = (name: string, checkout: string): Promise<Unread> =>
    prepareUnread({ folder: join(folder, name), scale, checkout: resolve(checkout) });
  await using before = await prepare('older', oldCheckout);
  await using after = await prepare('newer', newCheckout);
  const rows: [string, Sides][] = [];
  for (const [index, { what, call }] of after.rows.entries()) {
    for (const clients of CLIENT_COUNTS) {
      const name = `${what}, ${clients} at once`;
      if (!name.includes(options.only)) continue;
      const contest = {
        connector: { door: after.door, calls: [call], pid: after.pid },
        bare: { door: before.door, calls: [before.rows[index]?.call ?? call], pid: before.pid },
        ...{ clients, rounds: Number(options.rounds) },
      };
      rows.push([name, await playInOwnProcess(contest)]);
    }
  }
  return rows;
}

async function playInOwnProcess(contest: Contest): Promise<Sides> {
  const caller = ['bench/connector/caller.ts', JSON.stringify(contest), 'rounds'];
  const { stdout } = await execa(process.execPath, caller, { timeout: CONTEST_DEADLINE_MS });
  return JSON.parse(stdout) as Sides;
}

function figuresOf([after, before]: Sides): Figure[] {
  const figure = (name: string, unit: string, measure: (round: Round) => number): Figure => {
    const [theirs, ours] = [before.map(measure), after.map(measure)];
    const ratios = ours.map((value, index) => value / (theirs[index] ?? Number.NaN));
    const ratio = { low: quantile(ratios, 0.25), median: quantile(ratios, 0.5), high: quantile(ratios, 0.75) };
    return { name, unit, older: quantile(theirs, 0.5), newer: quantile(ours, 0.5), ratio };
  };
  return [
    figure('calls', '/s', rateOf),
    figure('p50', 'ms', ({ latenciesMs }) => quantile(latenciesMs, 0.5)),
    figure('p99', 'ms', ({ latenciesMs }) => quantile(latenciesMs, 0.99)),
    figure('processor per call', 'ms', ({ processorMs, latenciesMs }) => processorMs / latenciesMs.length),
  ];
}

function print({ what, figures }: TurnsRow): void {
  console.log(what);
  for (const { name, unit, older: before, newer: after, ratio } of figures) {
    const values = [before, after].map((value) => `${value.toFixed(2)} ${unit}`.padStart(14)).join('');
    const quartiles = `(${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)})`;
    console.log(`  ${name.padEnd(20)}${values}  ${ratio.median.toFixed(2)} ${quartiles}`);
  }
}
