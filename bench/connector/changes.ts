import { quantile } from '../quantile.ts';
import type { BenchResult } from './result.ts';

/**
 * Tolerated slowdown. A row that is slower by more than this, and by more than the runs differ among themselves, needs
 * an explanation.
 */
const SLOWER_PART = 0.05;

/** Results of both builds, measured one after the other. */
export interface Run {
  older: readonly BenchResult[];
  newer: readonly BenchResult[];
}

export interface Spread {
  median: number;
  least: number;
  most: number;
}

/** One row of the benchmark, over all runs. */
export interface RowChange {
  what: string;
  unit: string;
  goal: string;
  older: Spread;
  newer: Spread;
  /** The new median to the old one. */
  change: number;
  /** Medians of the ratios to the peer of the same run. */
  toPeer: { older: number; newer: number };
  isSlower: boolean;
}

/** The rows that both builds have. */
export function compareRuns(runs: readonly Run[]): RowChange[] {
  const [first] = runs;
  if (first === undefined) return [];
  const isInAll = (what: string): boolean =>
    runs.every((run) => [run.older, run.newer].every((side) => rowOf(side, what)));
  return first.newer.filter(({ what }) => isInAll(what)).map((row) => changeOf(row, runs));
}

function changeOf({ what, unit, goal }: BenchResult, runs: readonly Run[]): RowChange {
  const rows = (side: keyof Run): BenchResult[] => runs.flatMap((run) => rowOf(run[side], what) ?? []);
  const [before, after] = [rows('older'), rows('newer')];
  const [older, newer] = [spreadOf(before), spreadOf(after)];
  return {
    ...{ what, unit, goal, older, newer },
    change: newer.median / older.median,
    toPeer: { older: ratioOf(before), newer: ratioOf(after) },
    isSlower: isSlower(unit, older, newer),
  };
}

/**
 * Whether the new median is worse than the worst old run by more than the tolerated part. A lower rate is worse, and so
 * is a higher time or size.
 */
function isSlower(unit: string, older: Spread, newer: Spread): boolean {
  return unit === '/s' ? newer.median < older.least * (1 - SLOWER_PART) : newer.median > older.most * (1 + SLOWER_PART);
}

const rowOf = (side: readonly BenchResult[], name: string): BenchResult | undefined =>
  side.find(({ what }) => what === name);

function spreadOf(rows: readonly BenchResult[]): Spread {
  const values = rows.map(({ connector }) => connector);
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

const ratioOf = (rows: readonly BenchResult[]): number => median(rows.map(({ connector, peer }) => connector / peer));

const median = (values: readonly number[]): number => quantile(values, 0.5);
