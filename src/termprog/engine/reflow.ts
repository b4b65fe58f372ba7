import { CONTENT, CONTINUATION, WIDE, WORDS_PER_CELL } from './cell.ts';
import { Line, type LineIds } from './line.ts';

interface Size {
  columns: number;
  rows: number;
}

export interface ReflowRequest {
  /** The newest part of the history, and the screen; oldest first. */
  lines: readonly Line[];
  oldSize: Size;
  newSize: Size;
  /** The cell for the next character, on the screen; it may be one behind the last column. */
  cursor: { row: number; column: number };
  ids: LineIds;
}

export interface Reflowed {
  lines: Line[];
  /** The same on the new screen. */
  cursor: { row: number; column: number };
}

/** A place in the list of all lines. */
interface Place {
  index: number;
  column: number;
}

/**
 * Breaks lines that are wrapped anew for another number of columns, and chooses which of them are on the screen: the
 * first row stays first if everything below it fits; else the screen shows the last rows with text and the cursor's row.
 */
export function reflow(request: ReflowRequest): Reflowed {
  const { lines, oldSize, newSize, cursor, ids } = request;
  const oldTop = lines.length - oldSize.rows;
  const lastUsed = lastUsedIndex(lines, oldTop + cursor.row);
  const wasFull = lastUsed === lines.length - 1;
  const broken = breakLines(lines.slice(0, lastUsed + 1), request, oldTop);
  const { lines: all, cursor: place } = broken;
  const last = all.length - 1;
  const highest = Math.max(0, last - newSize.rows + 1);
  const wanted = wasFull ? highest : Math.max(broken.top, highest);
  // Text below the cursor may be dropped, the cursor's row may not.
  const top = Math.min(wanted, place.index);
  const shown = all.slice(0, top + newSize.rows);
  while (shown.length < top + newSize.rows) shown.push(new Line(newSize.columns, ids.next()));
  // Lines of the history keep the width they have.
  for (let row = top; row < shown.length; row += 1) shown[row]?.setColumns(newSize.columns);
  return { lines: shown, cursor: { row: place.index - top, column: place.column } };
}

/** Blank lines at the end, below the cursor, may be dropped. */
function lastUsedIndex(lines: readonly Line[], cursorIndex: number): number {
  let index = lines.length - 1;
  while (index > cursorIndex && lines[index]?.usedCells === 0) index -= 1;
  return index;
}

/** `top` is where the first row of the old screen is now. */
function breakLines(
  lines: readonly Line[],
  { oldSize, newSize, cursor, ids }: ReflowRequest,
  oldTop: number,
): { lines: Line[]; cursor: Place; top: number } {
  const broken: Line[] = [];
  let place: Place = { index: 0, column: 0 };
  let top = 0;
  for (let start = 0; start < lines.length; ) {
    let end = start;
    while (end < lines.length - 1 && lines[end]?.isWrapped === true) end += 1;
    const group = lines.slice(start, end + 1);
    const cursorIndex = oldTop + cursor.row;
    const hasCursor = cursorIndex >= start && cursorIndex <= end;
    const at = hasCursor ? { index: cursorIndex - start, column: cursor.column } : undefined;
    const first = broken.length;
    const moved = breakGroup(group, { oldColumns: oldSize.columns, newColumns: newSize.columns, at, ids }, broken);
    if (moved !== undefined) place = { index: first + moved.index, column: moved.column };
    if (oldTop >= start && oldTop <= end) top = Math.min(first + (oldTop - start), broken.length - 1);
    start = end + 1;
  }
  return { lines: broken, cursor: place, top };
}

interface GroupOptions {
  oldColumns: number;
  newColumns: number;
  /** The cursor's place in the group. */
  at: Place | undefined;
  ids: LineIds;
}

/** Appends one line of text, in as many rows as it needs, to `broken`; returns the cursor's place relative to its first row. */
function breakGroup(group: readonly Line[], options: GroupOptions, broken: Line[]): Place | undefined {
  const { oldColumns, newColumns, at } = options;
  const [single] = group;
  const isUnchanged = oldColumns === newColumns;
  if (isUnchanged || (group.length === 1 && single !== undefined && single.usedCells <= newColumns)) {
    for (const line of group) broken.push(line);
    if (at === undefined || isUnchanged) return at;
    // Behind text that fills the row, not in its last cell.
    const last = single?.usedCells === newColumns ? newColumns : newColumns - 1;
    return { index: at.index, column: Math.min(at.column, last) };
  }
  const hasNumbers = group.some((line) => line.hasNumbers);
  const isPlain = group.every((line) => line.isPlain);
  const joined = newColumns === 1 ? narrow(joinCells(group, at)) : joinCells(group, at);
  const places = cutCells(joined, newColumns);
  places.forEach(({ start, end }, index) => {
    const line = group[index] ?? new Line(newColumns, options.ids.next());
    line.words = new Uint32Array(newColumns * WORDS_PER_CELL);
    line.words.set(joined.words.subarray(start * WORDS_PER_CELL, end * WORDS_PER_CELL));
    line.isWrapped = index < places.length - 1;
    line.hasNumbers = hasNumbers;
    line.isPlain = isPlain;
    broken.push(line);
  });
  if (joined.cursor === undefined) return undefined;
  const index = places.findLastIndex(({ start }) => start <= (joined.cursor ?? 0));
  return { index, column: joined.cursor - (places[index]?.start ?? 0) };
}

/** Cells in one sequence, and the cursor's place in it. */
interface Joined {
  words: Uint32Array;
  cells: number;
  cursor: number | undefined;
}

/** The cells of wrapped lines as one sequence, and the cursor's place in it. */
function joinCells(group: readonly Line[], at: Place | undefined): Joined {
  const lengths = group.map((line, index) => {
    const next = group[index + 1];
    if (next === undefined) return Math.max(line.usedCells, at?.index === index ? at.column : 0, 1);
    const columns = line.words.length / WORDS_PER_CELL;
    // A wide character that did not fit left a blank behind, in the background's colour.
    const last = line.words[(columns - 1) * WORDS_PER_CELL + CONTENT];
    const leftBlank = last === 0 && ((next.words[CONTENT] ?? 0) & WIDE) !== 0;
    return leftBlank ? columns - 1 : columns;
  });
  const cells = lengths.reduce((sum, length) => sum + length, 0);
  const words = new Uint32Array(cells * WORDS_PER_CELL);
  let offset = 0;
  let cursor: number | undefined;
  group.forEach((line, index) => {
    const length = lengths[index] ?? 0;
    words.set(line.words.subarray(0, length * WORDS_PER_CELL), offset * WORDS_PER_CELL);
    if (at?.index === index) cursor = offset + Math.min(at.column, length);
    offset += length;
  });
  return { words, cells, cursor };
}

/** The same, with every character in one cell: a wide one does not fit a screen of one column. */
function narrow({ words, cells, cursor }: Joined): Joined {
  const kept: number[] = [];
  let left = cursor;
  for (let cell = 0; cell < cells; cell += 1) {
    const content = words[cell * WORDS_PER_CELL] ?? 0;
    if ((content & CONTINUATION) === 0) kept.push(cell);
    else if (cursor !== undefined && cell < cursor) left = (left ?? 0) - 1;
  }
  const narrowed = new Uint32Array(kept.length * WORDS_PER_CELL);
  kept.forEach((cell, index) => {
    narrowed.set(words.subarray(cell * WORDS_PER_CELL, (cell + 1) * WORDS_PER_CELL), index * WORDS_PER_CELL);
    narrowed[index * WORDS_PER_CELL] = (narrowed[index * WORDS_PER_CELL] ?? 0) & ~WIDE;
  });
  return { words: narrowed, cells: kept.length, cursor: left };
}

/** Parts of at most `columns` cells; none ends in the middle of a wide character. */
function cutCells(
  { words, cells }: { words: Uint32Array; cells: number },
  columns: number,
): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (let start = 0; start < cells || places.length === 0; ) {
    let end = Math.min(cells, start + columns);
    const isCut = end < cells && columns > 1 && ((words[(end - 1) * WORDS_PER_CELL] ?? 0) & WIDE) !== 0;
    if (isCut) end -= 1;
    places.push({ start, end });
    start = end;
  }
  return places;
}
