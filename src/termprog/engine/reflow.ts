import { CONTINUATION, WIDE, WORDS_PER_CELL } from './cell.ts';
import { Line, type LineIds } from './line.ts';
import { wrappedCells } from './row-cells.ts';

interface Size {
  columns: number;
  rows: number;
}

/** Rows at the end of the screen that a resize does not break again, because a program redraws them without help. */
export interface HeldRows {
  /** The first of these rows; all rows below are held too. */
  first: number;
  /** The place from which on the cells are erased: the program redraws all of them. */
  clearFrom: { row: number; column: number } | undefined;
}

export interface ReflowRequest {
  /** The newest part of the history, and the screen; oldest first. */
  lines: readonly Line[];
  oldSize: Size;
  newSize: Size;
  /** The cell for the next character, on the screen; it may be one after the last column. */
  cursor: { row: number; column: number };
  /** Rows of the screen that stay as they are, cut or filled with blanks; the cursor is in one of them. */
  held?: HeldRows | undefined;
  ids: LineIds;
}

export interface Reflowed {
  lines: Line[];
  /** The cell for the next character on the new screen. */
  cursor: { row: number; column: number };
}

/** A place in the list of all lines. */
interface Place {
  index: number;
  column: number;
}

/**
 * Breaks wrapped lines again for another number of columns, and chooses which of them are on the screen: the first row
 * stays first if everything below it fits; else the screen shows the last rows with text and the cursor's row.
 */
export function reflow(given: ReflowRequest): Reflowed {
  const request = given.held === undefined ? given : clearHeld(given, given.held);
  const { lines, oldSize, newSize, cursor, ids } = request;
  const oldTop = lines.length - oldSize.rows;
  const lastUsed = lastUsedIndex(lines, oldTop + cursor.row);
  const wasFull = lastUsed === lines.length - 1;
  const broken = breakLines(lines.slice(0, lastUsed + 1), request, oldTop);
  const { lines: all, cursor: place } = broken;
  const last = all.length - 1;
  const highest = Math.max(0, last - newSize.rows + 1);
  const wanted = wasFull ? highest : Math.max(broken.top, highest);
  // Text below the cursor may be dropped, but not the cursor's row.
  const top = Math.min(wanted, place.index);
  const shown = all.slice(0, top + newSize.rows);
  while (shown.length < top + newSize.rows) shown.push(new Line(newSize.columns, ids.next()));
  // Lines of the history keep their width.
  for (let row = top; row < shown.length; row += 1) shown[row]?.setColumns(newSize.columns);
  return { lines: shown, cursor: { row: place.index - top, column: place.column } };
}

/** Erases what a program redraws without help; if the rows no longer fit the screen, blank ones are dropped. */
function clearHeld(request: ReflowRequest, held: HeldRows): ReflowRequest {
  const { lines, oldSize, newSize, cursor } = request;
  const { clearFrom } = held;
  const isSame = oldSize.columns === newSize.columns;
  const excess = cursor.row - held.first + 1 - newSize.rows;
  if (clearFrom === undefined || (isSame && excess <= 0)) return request;
  const oldTop = lines.length - oldSize.rows;
  for (let row = clearFrom.row; row < oldSize.rows; row += 1) {
    const line = lines[oldTop + row];
    const start = row === clearFrom.row ? Math.min(clearFrom.column, oldSize.columns) : 0;
    line?.splitWide(start);
    line?.erase(start, oldSize.columns, 0);
    if (line !== undefined) line.isWrapped = false;
  }
  const isAllClear = clearFrom.row === held.first && clearFrom.column === 0;
  if (!isAllClear || excess <= 0) return request;
  const kept = [...lines];
  // The first one stays, because marks refer to it.
  kept.splice(oldTop + held.first + 1, excess);
  // The screen keeps its number of rows: blank ones come in below.
  for (let row = 0; row < excess; row += 1) kept.push(new Line(oldSize.columns, request.ids.next()));
  return { ...request, lines: kept, cursor: { ...cursor, row: cursor.row - excess } };
}

/** Cuts a row or fills it with blanks; the text of the next row still follows what is left of its text. */
function keepBreaks(line: Line, columns: number): Line {
  if (line.isWrapped) line.wrapCells ||= line.words.length / WORDS_PER_CELL;
  line.setColumns(columns);
  return line;
}

/** Records that the text of the row goes on in the first held row, from the end of its text. */
function joinHeld(line: Line | undefined): void {
  if (line === undefined) return;
  line.isWrapped = true;
  line.wrapCells = Math.max(1, line.usedCells);
}

/** Returns the cursor's column in a row that keeps its text; if it was after the row's end, it stays there. */
function heldColumn(column: number, oldSize: Size, newSize: Size): number {
  return column === oldSize.columns ? Math.min(column, newSize.columns) : Math.min(column, newSize.columns - 1);
}

/** Returns the index of the last line in use; blank lines at the end, below the cursor, may be dropped. */
function lastUsedIndex(lines: readonly Line[], cursorIndex: number): number {
  let index = lines.length - 1;
  while (index > cursorIndex && lines[index]?.isBlank === true) index -= 1;
  return index;
}

interface Broken {
  lines: Line[];
  cursor: Place;
  /** Index of the row that was the first of the old screen. */
  top: number;
}

function breakLines(lines: readonly Line[], request: ReflowRequest, oldTop: number): Broken {
  const { oldSize, newSize, cursor, held, ids } = request;
  const broken: Line[] = [];
  let place: Place = { index: 0, column: 0 };
  let top = 0;
  const heldStart = held === undefined ? lines.length : oldTop + held.first;
  const isJoined = lines[heldStart - 1]?.isWrapped === true;
  const cursorIndex = oldTop + cursor.row;
  for (let start = 0; start < heldStart; ) {
    let end = start;
    while (end < heldStart - 1 && lines[end]?.isWrapped === true) end += 1;
    const group = lines.slice(start, end + 1);
    const hasCursor = cursorIndex >= start && cursorIndex <= end;
    const at = hasCursor ? { index: cursorIndex - start, column: cursor.column } : undefined;
    const first = broken.length;
    const moved = breakGroup(group, { oldColumns: oldSize.columns, newColumns: newSize.columns, at, ids }, broken);
    if (moved !== undefined) place = { index: first + moved.index, column: moved.column };
    if (oldTop >= start && oldTop <= end) top = Math.min(first + (oldTop - start), broken.length - 1);
    start = end + 1;
  }
  const found = { lines: broken, cursor: place, top };
  if (held === undefined) return found;
  if (isJoined) joinHeld(broken.at(-1));
  return appendHeld(found, lines.slice(heldStart), request);
}

/** Appends the rows that stay as they are. */
function appendHeld(broken: Broken, rows: readonly Line[], { oldSize, newSize, cursor, held }: ReflowRequest): Broken {
  const { lines } = broken;
  const first = held?.first ?? 0;
  const place = { index: lines.length + cursor.row - first, column: heldColumn(cursor.column, oldSize, newSize) };
  const top = first === 0 ? lines.length : broken.top;
  for (const line of rows) lines.push(keepBreaks(line, newSize.columns));
  return { lines, cursor: place, top };
}

interface GroupOptions {
  oldColumns: number;
  newColumns: number;
  /** The cursor's place in the group. */
  at: Place | undefined;
  ids: LineIds;
}

/**
 * Appends one line of text, in as many rows as it needs, to `broken`; returns the cursor's place relative to its first
 * row.
 */
function breakGroup(group: readonly Line[], options: GroupOptions, broken: Line[]): Place | undefined {
  const { oldColumns, newColumns, at } = options;
  const [single] = group;
  const isUnchanged = oldColumns === newColumns;
  if (isUnchanged || (group.length === 1 && single !== undefined && single.usedCells <= newColumns)) {
    for (const line of group) broken.push(line);
    if (at === undefined || isUnchanged) return at;
    // The cursor goes after text that fills the row, not into its last cell.
    const last = single?.usedCells === newColumns ? newColumns : newColumns - 1;
    return { index: at.index, column: Math.min(at.column, last) };
  }
  const hasNumbers = group.some((line) => line.hasNumbers);
  const isPlain = group.every((line) => line.isPlain);
  const joined = newColumns === 1 ? narrow(joinCells(group, at)) : joinCells(group, at);
  const places = cutCells(joined, newColumns);
  places.forEach(({ start, end }, index) => {
    const line = group[index] ?? new Line(newColumns, options.ids.next());
    // A row of the history has no blanks after its text: in a very wide window they would take far more memory than the
    // text.
    const isLast = index === places.length - 1;
    line.words = new Uint32Array((isLast ? Math.max(1, end - start) : newColumns) * WORDS_PER_CELL);
    line.words.set(joined.words.subarray(start * WORDS_PER_CELL, end * WORDS_PER_CELL));
    line.isWrapped = !isLast;
    line.wrapCells = 0;
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

/** Returns the cells of wrapped lines as one sequence, and the cursor's place in it. */
function joinCells(group: readonly Line[], at: Place | undefined): Joined {
  const lengths = group.map((line, index) => {
    const next = group[index + 1];
    if (next === undefined) return Math.max(line.usedCells, at?.index === index ? at.column : 0, 1);
    // A wide character that did not fit left a blank, in the background's colour.
    return wrappedCells(line, next);
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

/** Returns the same with every character in one cell, since a wide one does not fit a screen of one column. */
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

/** Returns parts of at most `columns` cells; no part ends in the middle of a wide character. */
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
