import { BLINK, CLUSTER, CONTENT, CONTINUATION, EXTRA, FOREGROUND, WIDE, WORDS_PER_CELL } from '../engine/cell.ts';

/** A content value that no cell has: the window's content is unknown there. */
const UNKNOWN = 0xffff_ffff;

/** Most unchanged cells between two changed ones that are painted with them: cheaper than a second request. */
const GAP_CELLS = 3;

/**
 * A copy of the cells that the window shows, so that only differences are painted. The painter records each paint,
 * scroll and loss here.
 */
export class ShadowGrid {
  #columns = 0;
  #rows = 0;
  #words = new Uint32Array(0);
  /** Row → 1 if some cell is unknown, or may differ without damage. */
  #doubtful = new Uint8Array(0);
  /** Row → 1 if ink may lie in a neighbouring cell. */
  #overhanging = new Uint8Array(0);
  /** Row → 1 if some cell blinks, or did recently. */
  #blinking = new Uint8Array(0);
  #spans = new Uint16Array(0);
  #spanCount = 0;

  get columns(): number {
    return this.#columns;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Changes the size. Cells in both sizes stay known, except those into which ink of a removed cell may reach. */
  resize(columns: number, rows: number): void {
    if (columns < this.#columns) this.#forgetBeside(columns);
    const words = new Uint32Array(columns * rows * WORDS_PER_CELL).fill(UNKNOWN);
    const kept = Math.min(columns, this.#columns) * WORDS_PER_CELL;
    for (let row = 0; row < Math.min(rows, this.#rows); row += 1) {
      const from = row * this.#columns * WORDS_PER_CELL;
      words.set(this.#words.subarray(from, from + kept), row * columns * WORDS_PER_CELL);
    }
    const overhanging = new Uint8Array(rows);
    overhanging.set(this.#overhanging.subarray(0, rows));
    const blinking = new Uint8Array(rows);
    blinking.set(this.#blinking.subarray(0, rows));
    this.#columns = columns;
    this.#rows = rows;
    this.#words = words;
    this.#overhanging = overhanging;
    this.#blinking = blinking;
    this.#doubtful = new Uint8Array(rows).fill(1);
    this.#spans = new Uint16Array(2 * columns + 2);
  }

  /** Records that the window shows only its background. */
  clear(): void {
    this.#words.fill(0);
  }

  /** Whether the row must be compared regardless of the damage. */
  isDoubtful(row: number): boolean {
    return this.#doubtful[row] === 1;
  }

  /**
   * Returns how many consecutive rows are neither marked nor doubtful: at most `most`, from `first` on, wrapping after
   * the last row.
   */
  countSettled(first: number, most: number, marks: Uint8Array | undefined): number {
    if (marks === undefined) return 0;
    let row = first;
    for (let count = 0; count < most; count += 1) {
      if (marks[row] === 1 || this.#doubtful[row] === 1) return count;
      row = row + 1 === this.#rows ? 0 : row + 1;
    }
    return most;
  }

  /** Whether ink of the row may lie in a neighbouring cell. */
  overhangs(row: number): boolean {
    return this.#overhanging[row] === 1;
  }

  setOverhangs(row: number, overhangs: boolean): void {
    this.#overhanging[row] = overhangs ? 1 : 0;
  }

  /** Records that the cells from `start` up to, but without, `end` lost their content. */
  forget(row: number, start: number, end: number): void {
    if (row < 0 || row >= this.#rows) return;
    const words = this.#words;
    const base = row * this.#columns;
    for (let column = Math.max(0, start); column < Math.min(end, this.#columns); column += 1) {
      words[(base + column) * WORDS_PER_CELL + CONTENT] = UNKNOWN;
      this.#doubtful[row] = 1;
    }
  }

  /**
   * Records that the server filled the cells from `start` up to, but without, `end` with the background, now or some
   * frames ago. Blank cells are unchanged in either case, unless ink of neighbours reached into them.
   */
  expose(row: number, start: number, end: number): void {
    if (row < 0 || row >= this.#rows) return;
    if (this.overhangs(row)) {
      this.forget(row, start, end);
      return;
    }
    const words = this.#words;
    const last = (row * this.#columns + Math.min(end, this.#columns)) * WORDS_PER_CELL;
    for (let at = (row * this.#columns + Math.max(0, start)) * WORDS_PER_CELL; at < last; at += WORDS_PER_CELL) {
      if (words[at] === 0 && words[at + 1] === 0 && words[at + 2] === 0 && words[at + 3] === 0) continue;
      words[at] = UNKNOWN;
      this.#doubtful[row] = 1;
    }
  }

  forgetRows(first: number, last: number): void {
    for (let row = first; row <= last; row += 1) this.forget(row, 0, this.#columns);
  }

  /** Makes the next frame compare these rows. */
  doubt(first: number, last: number): void {
    this.#doubtful.fill(1, Math.max(0, first), Math.max(0, last + 1));
  }

  /**
   * Forgets each cell for which `isLost` is true. It gets the words of all cells, and the index of the cell's first
   * word.
   */
  forgetWhere(isLost: (words: Uint32Array, at: number) => boolean): void {
    const words = this.#words;
    for (let row = 0, at = 0; row < this.#rows; row += 1) {
      for (let column = 0; column < this.#columns; column += 1, at += WORDS_PER_CELL) {
        if (words[at] === UNKNOWN || !isLost(words, at)) continue;
        words[at] = UNKNOWN;
        this.#doubtful[row] = 1;
      }
    }
  }

  /** Whether the window shows blinking cells. */
  get hasBlinking(): boolean {
    return this.#blinking.includes(1);
  }

  /** Forgets the blinking cells. */
  forgetBlinking(): void {
    const words = this.#words;
    for (let row = 0; row < this.#rows; row += 1) {
      if (this.#blinking[row] !== 1) continue;
      this.#blinking[row] = 0;
      const base = row * this.#columns * WORDS_PER_CELL;
      for (let at = base; at < base + this.#columns * WORDS_PER_CELL; at += WORDS_PER_CELL) {
        if (((words[at + FOREGROUND] ?? 0) & BLINK) === 0) continue;
        words[at] = UNKNOWN;
        this.#doubtful[row] = 1;
        this.#blinking[row] = 1;
      }
    }
  }

  /** Forgets the cells whose numbers were reused. */
  forgetNumbered(): void {
    this.forgetWhere((words, at) => ((words[at + CONTENT] ?? 0) & CLUSTER) !== 0 || words[at + EXTRA] !== 0);
  }

  /**
   * Records that the pixels of rows `top` to `bottom` were moved up by `lines`, or down if negative. Rows that got no
   * new pixels are unchanged.
   */
  scroll(top: number, bottom: number, lines: number): void {
    const [from, end, to] = lines > 0 ? [top + lines, bottom + 1, top] : [top, bottom + 1 + lines, top - lines];
    const width = this.#columns * WORDS_PER_CELL;
    this.#words.copyWithin(to * width, from * width, end * width);
    this.#doubtful.copyWithin(to, from, end);
    this.#overhanging.copyWithin(to, from, end);
    this.#blinking.copyWithin(to, from, end);
  }

  /**
   * Finds the parts of a row that differ from the window, and records them as shown. Returns the number of spans;
   * `start(n)` and `end(n)` are the columns of span n.
   */
  update(row: number, next: Uint32Array): number {
    this.#spanCount = 0;
    this.#findSpans(row, next);
    if (this.#spanCount > 0) this.#copySpans(row, next);
    this.#doubtful[row] = 0;
    return this.#spanCount;
  }

  start(span: number): number {
    return this.#spans[2 * span] ?? 0;
  }

  end(span: number): number {
    return this.#spans[2 * span + 1] ?? 0;
  }

  /** Widens the spans to where the style of text changes, because ink reaches no further. Returns their number. */
  widen(next: Uint32Array): number {
    const spans = this.#spans;
    let count = 0;
    for (let span = 0; span < this.#spanCount; span += 1) {
      const start = this.#styleStart(next, Math.max(0, this.start(span) - 1));
      const end = this.#styleEnd(next, Math.min(this.#columns, this.end(span) + 1));
      if (count > 0 && start <= this.end(count - 1)) spans[2 * count - 1] = Math.max(end, this.end(count - 1));
      else {
        spans[2 * count] = start;
        spans[2 * count + 1] = end;
        count += 1;
      }
    }
    this.#spanCount = count;
    return count;
  }

  #styleStart(next: Uint32Array, from: number): number {
    let column = from;
    while (column > 0 && haveSameStyle(next, column - 1, column)) column -= 1;
    return column;
  }

  #styleEnd(next: Uint32Array, from: number): number {
    let column = from;
    while (column < this.#columns && haveSameStyle(next, column - 1, column)) column += 1;
    return column;
  }

  /** Forgets the cell before a column in rows where ink of that column may reach into it. */
  #forgetBeside(column: number): void {
    for (let row = 0; row < this.#rows; row += 1) if (this.overhangs(row)) this.forget(row, column - 1, column);
  }

  #findSpans(row: number, next: Uint32Array): void {
    const shown = this.#words;
    const base = row * this.#columns * WORDS_PER_CELL;
    const length = this.#columns * WORDS_PER_CELL;
    for (let at = 0; at < length; at += 1) {
      if (shown[base + at] === next[at]) continue;
      const column = at >> 2;
      at = (column + 1) * WORDS_PER_CELL - 1;
      const last = 2 * this.#spanCount - 1;
      const isSingle = ((next[column * WORDS_PER_CELL] ?? 0) & (WIDE | CONTINUATION)) === 0;
      // Most differing cells are adjacent.
      if (isSingle && last > 0 && this.#spans[last] === column) this.#spans[last] = column + 1;
      else this.#addCell(next, column);
    }
  }

  /** Adds a cell to the spans; both halves of a wide character are painted together. */
  #addCell(next: Uint32Array, column: number): void {
    const spans = this.#spans;
    const content = next[column * WORDS_PER_CELL] ?? 0;
    const start = (content & CONTINUATION) !== 0 && column > 0 ? column - 1 : column;
    const end = (content & WIDE) !== 0 && column + 1 < this.#columns ? column + 2 : column + 1;
    const last = 2 * this.#spanCount - 1;
    if (last > 0 && start - (spans[last] ?? 0) <= GAP_CELLS) spans[last] = end;
    else {
      spans[last + 1] = start;
      spans[last + 2] = end;
      this.#spanCount += 1;
    }
  }

  #copySpans(row: number, next: Uint32Array): void {
    const shown = this.#words;
    const base = row * this.#columns * WORDS_PER_CELL;
    let attributes = 0;
    for (let span = 0; span < this.#spanCount; span += 1) {
      const start = this.start(span) * WORDS_PER_CELL;
      const end = this.end(span) * WORDS_PER_CELL;
      for (let at = start; at < end; at += 1) shown[base + at] = next[at] ?? 0;
      for (let at = start; at < end; at += WORDS_PER_CELL) attributes |= next[at + FOREGROUND] ?? 0;
    }
    if ((attributes & BLINK) !== 0) this.#blinking[row] = 1;
  }
}

/** Returns whether two cells have the same style; their content is not compared. */
function haveSameStyle(words: Uint32Array, one: number, other: number): boolean {
  const a = one * WORDS_PER_CELL;
  const b = other * WORDS_PER_CELL;
  return words[a + 1] === words[b + 1] && words[a + 2] === words[b + 2] && words[a + 3] === words[b + 3];
}
