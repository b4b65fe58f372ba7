import { BACKGROUND, CLUSTER, CODE_MASK, CONTINUATION, EXTRA, FOREGROUND, WIDE, WORDS_PER_CELL } from './cell.ts';
import { shiftCells } from './editing.ts';
import type { InternTable } from './intern-table.ts';
import { CLUSTER_MAX_CODE_POINTS } from './limits.ts';
import type { Screen } from './screen.ts';

/** The code points of a cell that has more than one. */
export interface Cluster {
  text: string;
  codePoints: number;
}

/** The store of clusters. */
export interface ClusterStore {
  readonly clusters: InternTable<Cluster>;
  /** Removes clusters that no cell contains any more. */
  sweep(): void;
}

/** Bits of a content word that do not concern its text. */
const BESIDE_TEXT = ~(CODE_MASK | CLUSTER);

/** Returns the column of the character before the cursor; undefined if there is no such character. */
export function columnBefore(screen: Screen): number | undefined {
  const { words } = screen.line;
  let column = screen.isWrapPending ? screen.column : screen.column - 1;
  if (column > 0 && ((words[column * WORDS_PER_CELL] ?? 0) & CONTINUATION) !== 0) column -= 1;
  return column >= 0 && ((words[column * WORDS_PER_CELL] ?? 0) & CODE_MASK) !== 0 ? column : undefined;
}

/** Returns the code points of a cell in the cursor's line. */
export function codePointsAt(screen: Screen, column: number, { clusters }: ClusterStore): number[] {
  const content = screen.line.words[column * WORDS_PER_CELL] ?? 0;
  const number = content & CODE_MASK;
  if ((content & CLUSTER) === 0) return [number];
  return [...(clusters.get(number)?.text ?? '')].map((character) => character.codePointAt(0) as number);
}

/**
 * Adds a code point to a cell of the cursor's line; returns false if the cell is full, or there is no room for another
 * cluster.
 * @param isContinued whether the last thing that was written is this cell's last code point; then no other cell has its
 * cluster, if that is new
 */
export function joinCell(
  screen: Screen,
  { column, code, isContinued }: { column: number; code: number; isContinued: boolean },
  store: ClusterStore,
): boolean {
  const { line } = screen;
  const at = column * WORDS_PER_CELL;
  const content = line.words[at] ?? 0;
  const { clusters } = store;
  const number = content & CODE_MASK;
  const before =
    (content & CLUSTER) === 0 ? { text: String.fromCodePoint(number), codePoints: 1 } : clusters.get(number);
  if (before === undefined || before.codePoints >= CLUSTER_MAX_CODE_POINTS) return false;
  // The strings are not added, because that would keep every shorter text in memory as a part of the longer one.
  const text = [before.text, String.fromCodePoint(code)].join('');
  const joined = { text, codePoints: before.codePoints + 1 };
  if (clusters.isDue) store.sweep();
  const isOwn = isContinued && (content & CLUSTER) !== 0;
  const cluster = isOwn ? clusters.replace(number, joined) : clusters.numberOf(joined);
  if (cluster === 0) return false;
  line.words[at] = (content & BESIDE_TEXT) | CLUSTER | cluster;
  line.hasNumbers = true;
  screen.damage.mark(screen.row);
  return true;
}

/** Makes a cell of the cursor's line wide and overwrites the cell after it. The caller moves the cursor. */
export function widenCell(screen: Screen, column: number): void {
  const { line, row } = screen;
  const next = column + 1;
  if (screen.isInsert && screen.isBetweenSideMargins) shiftCells(screen, row, { from: next, by: 1 });
  line.splitWide(next + 1);
  const { words } = line;
  const at = column * WORDS_PER_CELL;
  const content = words[at] ?? 0;
  words.copyWithin(next * WORDS_PER_CELL, at, at + WORDS_PER_CELL);
  words[next * WORDS_PER_CELL] = (content & BESIDE_TEXT & ~WIDE) | CONTINUATION;
  words[at] = content | WIDE;
  screen.damage.mark(row);
}

/** Makes a wide cell of the cursor's line narrow and leaves a blank beside it. The caller moves the cursor. */
export function narrowCell(screen: Screen, column: number): void {
  const { line, row } = screen;
  const at = column * WORDS_PER_CELL;
  const next = column + 1;
  line.words[at] = (line.words[at] ?? 0) & ~WIDE;
  line.erase(next, next + 1, line.words[at + BACKGROUND] ?? 0);
  if (screen.isInsert && screen.isBetweenSideMargins) shiftCells(screen, row, { from: next, by: -1 });
  screen.damage.mark(row);
}

/** Removes a narrow cell from the cursor's line and returns it; a blank is left. */
export function liftCell(screen: Screen, column: number): Uint32Array {
  const { line } = screen;
  const at = column * WORDS_PER_CELL;
  const cell = line.words.slice(at, at + WORDS_PER_CELL);
  line.erase(column, column + 1, screen.pen.background);
  screen.damage.mark(screen.row);
  return cell;
}

/** Puts a narrow cell at the cursor, which does not move. */
export function placeCell(screen: Screen, cell: Uint32Array): void {
  const { line, column } = screen;
  line.splitWide(column);
  line.splitWide(column + 1);
  line.words.set(cell, column * WORDS_PER_CELL);
  line.hasNumbers = true;
  if (((cell[FOREGROUND] ?? 0) | (cell[BACKGROUND] ?? 0) | (cell[EXTRA] ?? 0)) !== 0) line.isPlain = false;
  screen.damage.mark(screen.row);
}
