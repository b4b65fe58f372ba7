import { loads, outlineLoads } from './loads.ts';
import type { EndFigures } from './measure-end.ts';
import type { KeyFigures, KeyResults } from './measure-keys.ts';
import type { LoadResults } from './measure-loads.ts';
import type { RestFigures } from './measure-rest.ts';
import type { StartResults } from './measure-start.ts';
import type { StoppedFigures } from './measure-stopped-server.ts';
import { type TerminalName, terminalNames } from './terminals.ts';

type PerTerminal<T> = Record<TerminalName, T>;

/** Results of the measured parts; those of other parts are absent. */
export interface Results {
  loads?: LoadResults;
  outlineLoads?: LoadResults;
  keys?: KeyResults;
  keysUnderLoad?: PerTerminal<KeyFigures>;
  start?: StartResults;
  end?: PerTerminal<EndFigures>;
  rest?: PerTerminal<RestFigures>;
  stopped?: PerTerminal<StoppedFigures>;
  pixels?: Record<string, number>;
  idleMs?: number;
}

/** One line of the table. A ratio is termprog's figure by the peer's; without a goal it is for information. */
export interface Row {
  what: string;
  unit: string;
  figures: Partial<PerTerminal<number>>;
  goals: Goal[];
}

export interface Goal {
  /** Ratio to this peer, or the figure itself. */
  to?: 'xterm' | 'urxvt';
  value: number;
  /** The most, or the least, that the figure may be. */
  is?: 'at least';
}

const rowOf =
  <T>(measured: PerTerminal<T>) =>
  (what: string, unit: string, figure: (of: T) => number, ...goals: Goal[]): Row => ({
    what,
    unit,
    figures: Object.fromEntries(terminalNames.map((name) => [name, figure(measured[name])])),
    goals,
  });

/** Every row that the results allow, in the order of the goals' table. */
export function rowsOf(results: Results): Row[] {
  return [
    ...loadRows({ ...results.loads, ...results.outlineLoads }),
    ...keyRows(results),
    ...startRows(results.start),
    ...endRows(results.end),
    ...restRows(results),
    ...stoppedRows(results.stopped),
    ...Object.entries(results.pixels ?? {}).map(
      ([scene, part]): Row => ({
        what: `pixels as xterm's: ${scene}`,
        unit: '%',
        figures: { termprog: part * 100 },
        goals: [{ value: 99.9, is: 'at least' }],
      }),
    ),
  ];
}

function loadRows(measured: LoadResults): Row[] {
  return [...loads, ...outlineLoads].flatMap(({ name, goals }) => {
    const figures = measured[name];
    if (figures === undefined) return [];
    return [
      rowOf(figures)(
        name,
        's',
        ({ wallMs }) => wallMs / 1000,
        { to: 'xterm', value: goals.xterm },
        { to: 'urxvt', value: goals.urxvt },
      ),
      rowOf(figures)(`${name}: CPU of the terminal`, 's', ({ cpuMs }) => cpuMs / 1000),
    ];
  });
}

function keyRows({ keys, keysUnderLoad }: Results): Row[] {
  return [
    ...(keys
      ? [
          rowOf(keys)('key to pixel, median', 'ms', ({ medianMs }) => medianMs, { to: 'xterm', value: 1.3 }),
          rowOf(keys)('key to pixel, p99', 'ms', ({ p99Ms }) => p99Ms, { to: 'xterm', value: 2 }),
          besideSmallest('key to pixel, median', keys.termprog.medianMs / keys.smallest.medianMs),
        ]
      : []),
    ...(keysUnderLoad
      ? [
          rowOf(keysUnderLoad)('key to pixel under load, median', 'ms', ({ medianMs }) => medianMs),
          rowOf(keysUnderLoad)('key to pixel under load, p99', 'ms', ({ p99Ms }) => p99Ms),
        ]
      : []),
  ];
}

function besideSmallest(what: string, ratio: number, ...goals: Goal[]): Row {
  return { what: `${what}, to the smallest client in Node.js`, unit: '', figures: { termprog: ratio }, goals };
}

function startRows(start: Results['start']): Row[] {
  if (start === undefined) return [];
  const { smallest, termprog } = start;
  return [
    rowOf(start)('first pixels', 'ms', ({ wallMs }) => wallMs, { to: 'xterm', value: 1.4 }),
    rowOf(start)('first pixels: CPU of the terminal', 'ms', ({ cpuMs }) => cpuMs),
    besideSmallest('first pixels', termprog.wallMs / smallest.wallMs, { value: 1.35 }),
    besideSmallest('the same: CPU', termprog.cpuMs / smallest.cpuMs),
  ];
}

function endRows(end: Results['end']): Row[] {
  if (end === undefined) return [];
  const row = rowOf(end);
  return [
    row('end of the child to that of its window', 'ms', ({ aloneMs }) => aloneMs, { value: 200 }),
    row('the same while a job still writes', 'ms', ({ busyMs }) => busyMs, { value: 200 }),
  ];
}

function restRows({ rest, idleMs = 0 }: Results): Row[] {
  if (rest === undefined) return [];
  const row = rowOf(rest);
  return [
    row('resident, 1,024 lines full', 'MiB', ({ residentMiB }) => residentMiB, { value: 70 }),
    row('round trips before MapWindow', '', ({ roundTripsBeforeMap }) => roundTripsBeforeMap, { value: 6 }),
    row(`wake-ups, idle for ${idleMs / 1000} s`, '', ({ wakeUps }) => wakeUps, { value: 0 }),
    row(`X requests, idle for ${idleMs / 1000} s`, '', ({ requests }) => requests, { value: 0 }),
  ];
}

function stoppedRows(stopped: Results['stopped']): Row[] {
  if (stopped === undefined) return [];
  const row = rowOf(stopped);
  return [
    row('X server stopped for 5 s: growth', 'MiB', ({ grownMiB }) => grownMiB, { value: 16 }),
    row("X server stopped for 5 s: queued, with the kernel's buffer", 'KiB', ({ queuedKiB }) => queuedKiB, {
      value: 1024,
    }),
    row('old frames played afterwards', 'ms', ({ playedMs }) => playedMs),
  ];
}

export interface Judged extends Row {
  ratios: { xterm?: number; urxvt?: number };
  /** Whether the goals are met; undefined without a goal. */
  isMet: boolean | undefined;
}

export function judge(row: Row): Judged {
  const own = row.figures.termprog ?? Number.NaN;
  const by = (peer: 'xterm' | 'urxvt'): number => own / (row.figures[peer] ?? Number.NaN);
  const goals = row.goals.filter(({ value }) => !Number.isNaN(value));
  const isMet = goals.every(({ to, value, is }) => {
    const figure = to === undefined ? own : by(to);
    return is === 'at least' ? figure >= value : figure <= value;
  });
  return {
    ...row,
    goals,
    ratios: row.figures.xterm === undefined ? {} : { xterm: by('xterm'), urxvt: by('urxvt') },
    isMet: goals.length === 0 ? undefined : isMet,
  };
}

const number = (value: number | undefined): string => {
  if (value === undefined || !Number.isFinite(value)) return '-';
  return value.toFixed(Number.isInteger(value) || value >= 1000 ? 0 : value >= 100 ? 1 : 2);
};

/** The table for people. */
export function formatTable(rows: readonly Judged[]): string {
  const line = (cells: readonly string[]): string =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(58) : cell.padStart(10))).join('');
  const goalTo = ({ goals }: Judged, to: 'xterm' | 'urxvt' | undefined): string => {
    const goal = goals.find((candidate) => candidate.to === to);
    return goal === undefined ? '' : `${goal.is === 'at least' ? '>=' : '<='} ${goal.value}`;
  };
  return [
    line(['', ...terminalNames, 'goal', 'to xterm', 'goal', 'to urxvt', 'goal']),
    ...rows.map((row) =>
      `${line([
        row.unit === '' ? row.what : `${row.what}, ${row.unit}`,
        ...terminalNames.map((name) => number(row.figures[name])),
        goalTo(row, undefined),
        number(row.ratios.xterm),
        goalTo(row, 'xterm'),
        number(row.ratios.urxvt),
        goalTo(row, 'urxvt'),
      ])}${row.isMet === false ? '  missed' : ''}`.trimEnd(),
    ),
  ].join('\n');
}
