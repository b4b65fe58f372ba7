import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CLUSTER, CODE_MASK, CONTINUATION, WIDE, WORDS_PER_CELL } from '../../../src/termprog/engine/cell.ts';
import type { TerminalEngine } from '../../../src/termprog/engine/terminal-engine.ts';
import type { SearchSession } from '../../../src/termprog/search/search-session.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';
import { startSearchable } from '../../unit/termprog/search/open-session.ts';

const RUNS = fuzzRuns(500);

/** Queries whose end is never their beginning: where matches may overlap, they depend on where a line began. */
const QUERIES = ['a', 'b', 'ab', 'aab', 'AB', 'ab 漢', '漢', 'é', '字b', ' b', 'a\u0301b'];

const text = fc.oneof(
  fc.constantFrom(...QUERIES, 'aB', 'e\u0301', 'x'.repeat(30), 'y', '\r\n', '\n\n\n', '\r', '\t', '漢字かな'),
  fc.constantFrom('\x1b[H', '\x1b[2J', '\x1b[3J', '\x1b[K', '\x1b[L', '\x1b[2M', '\x1bM', '\x1b[S', '\x1b[T', '\x1bc'),
  fc.constantFrom(
    '\x1b[2;4r',
    '\x1b[r',
    '\x1b[?1049h',
    '\x1b[?1049l',
    '\x1b[3;2H',
    '\x1b[99;1H',
    '\x1b[?7l',
    '\x1b[?7h',
  ),
);
type Step =
  | { output: string }
  | { columns: number; rows: number }
  | { command: 'older' | 'newer' }
  | { query: string }
  | { lines: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.array(text, { maxLength: 25 }).map((parts) => ({ output: parts.join('') })),
  fc
    .array(fc.constantFrom('\r\n', 'ab', 'xx'), { minLength: 20, maxLength: 40 })
    .map((parts) => ({ output: parts.join('') })),
  fc.record({ columns: fc.integer({ min: 1, max: 14 }), rows: fc.integer({ min: 1, max: 7 }) }),
  fc.constantFrom({ command: 'older' as const }, { command: 'newer' as const }),
  fc.constantFrom(...QUERIES).map((query) => ({ query })),
  fc.integer({ min: -9, max: 9 }).map((lines) => ({ lines })),
);

interface Found {
  row: number;
  column: number;
}

interface Cell extends Found {
  /** Undefined for a cell without text, empty for the second half of a wide one. */
  text: string | undefined;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
});

afterEach(() => {
  vi.useRealTimers();
});

type Searchable = ReturnType<typeof startSearchable>;

test('after any output the search knows all matches, and marks those in view', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 2, maxLength: 30 }),
      fc.integer({ min: 0, max: 30 }),
      (steps, saveLines) => {
        const searchable = startSearchable({ columns: 10, rows: 5, saveLines });
        const session = searchable.open();
        session.type('ab');
        for (const next of steps) {
          take(next, searchable, session);
          check(searchable, session);
        }
        session.close();
      },
    ),
    { numRuns: RUNS },
  );
});

/** All matches in a simple way: each line of text as a list of cells, compared one by one. Oldest first. */
function findAll(engine: TerminalEngine, query: string): Found[] {
  const found: Found[] = [];
  for (let first = 0 - engine.historyLines; first < engine.rows; ) {
    const { cells, next } = readLine(engine, first);
    found.push(...findInCells(cells, query));
    first = next;
  }
  return found;
}

function readLine(engine: TerminalEngine, first: number): { cells: Cell[]; next: number } {
  const cells: Cell[] = [];
  let row = first;
  for (let isWrapped = true; isWrapped; row += 1) {
    const line = engine.line(row);
    const next = engine.line(row + 1);
    isWrapped = line?.isWrapped === true && next !== undefined;
    const texts = cellTexts(engine, line?.words ?? new Uint32Array());
    if (isWrapped && texts.at(-1) === undefined && ((next?.words[0] ?? 0) & WIDE) !== 0) texts.pop();
    for (const [column, text] of texts.entries()) cells.push({ text, row, column });
  }
  while (cells.length > 0 && cells.at(-1)?.text === undefined) cells.pop();
  return { cells, next: row };
}

function findInCells(cells: readonly Cell[], query: string): Found[] {
  const isExact = query !== query.toLowerCase();
  const same = (text: string): string => (isExact ? text : text.toLowerCase()).normalize('NFC');
  const wanted = same(query);
  const found: Found[] = [];
  for (let at = 0; at < cells.length; ) {
    let [end, joined] = [at, ''];
    for (; joined.length < wanted.length && end < cells.length; end += 1) joined += same(cells[end]?.text ?? ' ');
    const cell = cells[at];
    const isFound = joined === wanted && cell?.text !== '';
    if (isFound && cell !== undefined) found.push(cell);
    at = isFound ? end : at + 1;
  }
  return found;
}

/** Undefined for a cell without text, empty for the second half of a wide one. */
function cellTexts(engine: TerminalEngine, words: Uint32Array): (string | undefined)[] {
  return Array.from({ length: words.length / WORDS_PER_CELL }, (_, column) => {
    const content = words[column * WORDS_PER_CELL] ?? 0;
    if ((content & CONTINUATION) !== 0) return '';
    if ((content & CLUSTER) !== 0) return engine.clusterText(content & CODE_MASK);
    return content === 0 ? undefined : String.fromCodePoint(content & CODE_MASK);
  });
}

function take(next: Step, { view, print, resize }: Searchable, session: SearchSession): void {
  if ('output' in next) print(next.output);
  else if ('columns' in next) resize(next.columns, next.rows);
  else if ('command' in next) session.obey(next.command);
  else if ('lines' in next) view.scrollBy(next.lines);
  else {
    session.obey('clear');
    session.type(next.query);
  }
  // The next frame notices a change at the latest.
  session.spansIn(0);
  vi.runAllTimers();
}

function check({ engine, view }: Searchable, session: SearchSession): void {
  const found = findAll(engine, session.query);
  const [index, count] = (session.status === 'no match' ? '0/0' : session.status).split('/').map(Number);
  expect(count).toBe(found.length);
  expect(index === 0).toBe(found.length === 0);
  const active = found[found.length - (index ?? 0)];
  const marked = Array.from({ length: engine.rows }, (_, row) =>
    session.spansIn(row).map((span) => ({ row: row - view.linesAbove, ...span })),
  ).flat();
  for (const { row, start } of marked.filter(({ isActive }) => isActive).slice(0, 1))
    if (start > 0) expect([row, start]).toEqual([active?.row, active?.column]);
  const isInView = (row: number): boolean => row >= -view.linesAbove && row < engine.rows - view.linesAbove;
  for (const { row, column } of found.filter((match) => isInView(match.row)))
    expect(marked.some((span) => span.row === row && span.start === column)).toBe(true);
}
