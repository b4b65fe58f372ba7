import { CharsetState } from './charsets.ts';
import { type CursorPlace, nextCell, placeBefore } from './cursor-place.ts';
import { DamageTracker } from './damage-tracker.ts';
import { Grid, type GridSize } from './grid.ts';
import { type Line, LineIds } from './line.ts';
import { Pen } from './pen.ts';
import type { HeldRows } from './reflow.ts';
import { scrollRows } from './row-scrolling.ts';
import { workOfRows } from './row-work.ts';
import { TabStops } from './tab-stops.ts';

/** The state that DECSC saves and DECRC restores. */
interface SavedCursor extends CursorPlace {
  isOrigin: boolean;
  pen: Pen;
  charsets: CharsetState;
}

/** The rows and columns to which scrolling and, in origin mode, addressing are confined, including both ends. */
export interface Margins {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/**
 * Stores the state on which control functions work: the primary and the alternate grid, the cursor, the margins and the
 * style of new text. Columns and rows count from 0 at the top left.
 */
export class Screen {
  readonly damage: DamageTracker;
  readonly tabStops: TabStops;
  readonly pen = new Pen();
  readonly charsets = new CharsetState();
  readonly margins: Margins;
  readonly #primary: Grid;
  /** The alternate grid. It is made when it is first shown, because most sessions never show it. */
  #alternate: Grid | undefined;
  readonly #ids = new LineIds();
  #saved: { primary: SavedCursor | undefined; alternate: SavedCursor | undefined } = {
    primary: undefined,
    alternate: undefined,
  };
  /** The cursor's place in the primary grid while the alternate one is shown. */
  #left: CursorPlace = { row: 0, column: 0, isWrapPending: false };
  grid: Grid;
  column = 0;
  row = 0;
  /** Whether the last column was written to: the next character goes to the next line, if lines wrap. */
  isWrapPending = false;
  /** Modes that are read for all writing and moving; the table of modes sets them. */
  isAutoWrap = true;
  isInsert = false;
  isOrigin = false;
  /** Whether cells hold grapheme clusters, instead of code points with those that have no width. */
  isClustering = false;
  /** Each of these lets the cursor go back over the left edge. */
  isReverseWrap = false;
  isReverseWrapExtended = false;
  isLinefeedNewLine = false;
  /** Whether a tab after the last column goes on in the next line; XTMOREFIX. */
  isTabWrapping = false;
  hasNationalCharsets = false;
  mayChangeColumns = false;
  maySetSideMargins = false;
  /** Whether cells that SPA guards are not erased: this is so from the first such cell until a reset. */
  sparesGuarded = false;
  /** Work of functions beyond their own bytes and the rows that `damage` counts, in bytes of text. */
  work = 0;

  constructor(size: GridSize, saveLines: number) {
    this.#primary = new Grid(size, saveLines, this.#ids);
    this.grid = this.#primary;
    this.damage = new DamageTracker(size.rows);
    this.tabStops = new TabStops(size.columns);
    this.margins = { top: 0, bottom: size.rows - 1, left: 0, right: size.columns - 1 };
  }

  get columns(): number {
    return this.grid.columns;
  }

  get rows(): number {
    return this.grid.rows;
  }

  get isAlternate(): boolean {
    return this.grid === this.#alternate;
  }

  get line(): Line {
    return this.grid.row(this.row);
  }

  /** The cursor's place as applications address it: from the margins in origin mode. */
  get address(): { column: number; row: number } {
    const { top, left } = this.margins;
    return this.isOrigin ? { column: this.column - left, row: this.row - top } : { column: this.column, row: this.row };
  }

  /** Whether the cursor is between the left and the right margin. */
  get isBetweenSideMargins(): boolean {
    return this.column >= this.margins.left && this.column <= this.margins.right;
  }

  /** Whether the cursor is between all margins. */
  get isBetweenMargins(): boolean {
    const { top, bottom } = this.margins;
    return this.row >= top && this.row <= bottom && this.isBetweenSideMargins;
  }

  /** Returns the work of all that ran since the last call, beyond its own bytes, in bytes of text. */
  takeWork(): number {
    const work = this.work + workOfRows(this.damage.changedRows, this.columns);
    this.work = 0;
    this.damage.changedRows = 0;
    return work;
  }

  /** The last column for text before it wraps. */
  get lastColumn(): number {
    return this.column <= this.margins.right ? this.margins.right : this.columns - 1;
  }

  get hasSideMargins(): boolean {
    return this.margins.left > 0 || this.margins.right < this.columns - 1;
  }

  /** Moves the cursor, at most to the edge of the screen. */
  moveTo(column: number, row: number): void {
    this.column = clamp(column, 0, this.columns - 1);
    this.row = clamp(row, 0, this.rows - 1);
    this.isWrapPending = false;
  }

  /** Moves the cursor to a place as applications address it: from the margins in origin mode. */
  moveToAddress(column: number, row: number): void {
    const { top, bottom, left, right } = this.margins;
    if (this.isOrigin) this.moveTo(Math.min(left + column, right), Math.min(top + row, bottom));
    else this.moveTo(column, row);
  }

  /** Moves to a column in the cursor's row, as applications address it. */
  moveToColumn(column: number): void {
    const { left, right } = this.margins;
    this.moveTo(this.isOrigin ? Math.min(left + column, right) : column, this.row);
  }

  /** Moves to a row in the cursor's column, as applications address it. */
  moveToRow(row: number): void {
    const { top, bottom } = this.margins;
    this.moveTo(this.column, this.isOrigin ? Math.min(top + row, bottom) : row);
  }

  /** Moves up or, if negative, down; margins stop a cursor that is inside them. */
  moveUp(rows: number): void {
    const { top, bottom } = this.margins;
    const first = this.row >= top ? top : 0;
    const last = this.row <= bottom ? bottom : this.rows - 1;
    this.moveTo(this.column, clamp(this.row - rows, first, last));
  }

  /** Moves right; the right margin stops a cursor that is to the left of it. */
  moveRight(columns: number): void {
    this.moveTo(Math.min(this.column + columns, this.lastColumn), this.row);
  }

  /** Moves left; the left margin stops a cursor that is to the right of it, or sends it to the end of the row above. */
  moveLeft(columns: number): void {
    const { left: leftMargin, right, top, bottom } = this.margins;
    const left = this.column >= leftMargin ? leftMargin : 0;
    const wraps = this.isAutoWrap && (this.isReverseWrap || this.isReverseWrapExtended);
    const column = this.column - columns + (wraps && this.isWrapPending ? 1 : 0);
    if (column >= left || !wraps) {
      this.moveTo(Math.max(left, column), this.row);
      return;
    }
    // Rows between the margins count as one long line, whose beginning is joined to its end.
    const width = right - left + 1;
    const length = width * this.rows;
    const isAtTop = this.column === left && this.row === top && this.isBetweenSideMargins;
    const place = isAtTop ? width * (bottom + 1) - 1 : width * this.row + column - left;
    const positive = ((place % length) + length) % length;
    this.moveTo(left + (positive % width), Math.floor(positive / width));
  }

  /** Goes forward by `count` tab stops; the right margin stops a cursor that is to the left of it. */
  tabForward(count: number): void {
    if (this.isWrapPending) {
      if (!this.isTabWrapping || !this.isAutoWrap) return;
      this.index();
      this.column = 0;
    }
    const last = this.lastColumn;
    let { column } = this;
    for (let left = count; left > 0 && column < last; left -= 1) column = this.tabStops.next(column, last);
    this.moveTo(column, this.row);
  }

  carriageReturn(): void {
    this.column = this.column >= this.margins.left || this.isOrigin ? this.margins.left : 0;
    this.isWrapPending = false;
  }

  /** Moves down by one row; at the bottom margin the region scrolls. */
  index(): void {
    const { margins } = this;
    this.isWrapPending = false;
    if (this.row === margins.bottom) {
      if (this.isBetweenSideMargins) this.scrollUp(1);
    } else if (this.row < this.rows - 1) this.row += 1;
  }

  /** Moves up by one row; at the top margin the region scrolls. */
  reverseIndex(): void {
    this.isWrapPending = false;
    if (this.row === this.margins.top) {
      if (this.isBetweenSideMargins) this.scrollDown(1);
    } else if (this.row > 0) this.row -= 1;
  }

  /** Moves the rows between the margins up; rows that leave the top of the screen become history. */
  scrollUp(lines: number): void {
    const { top, bottom } = this.margins;
    scrollRows(this, { top, bottom }, lines, top === 0 && !this.isAlternate);
  }

  scrollDown(lines: number): void {
    const { top, bottom } = this.margins;
    scrollRows(this, { top, bottom }, -lines, false);
  }

  /** Inserts blank lines at the cursor, or deletes lines if negative, inside the margins. */
  insertLines(lines: number): void {
    const { top, bottom } = this.margins;
    if (this.row < top || this.row > bottom || !this.isBetweenSideMargins) return;
    scrollRows(this, { top: this.row, bottom }, -lines, false);
    this.moveTo(this.margins.left, this.row);
  }

  setMargins(margins: Margins): void {
    Object.assign(this.margins, margins);
  }

  resetMargins(): void {
    this.setMargins({ top: 0, bottom: this.rows - 1, left: 0, right: this.columns - 1 });
  }

  saveCursor(): void {
    const { column, row, isWrapPending, isOrigin } = this;
    const saved = { column, row, isWrapPending, isOrigin, pen: this.pen.copy(), charsets: this.charsets.copy() };
    if (this.isAlternate) this.#saved.alternate = saved;
    else this.#saved.primary = saved;
  }

  /** Restores the saved cursor, or the state of a new terminal. Returns whether origin mode is then on. */
  restoreCursor(): boolean {
    const saved = this.isAlternate ? this.#saved.alternate : this.#saved.primary;
    if (saved === undefined) {
      this.pen.take(new Pen());
      this.charsets.reset();
      this.moveTo(0, 0);
      return false;
    }
    this.pen.take(saved.pen);
    this.charsets.take(saved.charsets);
    const { bottom, right } = this.margins;
    if (saved.isOrigin) this.moveTo(Math.min(saved.column, right), Math.min(saved.row, bottom));
    else this.moveTo(saved.column, saved.row);
    this.isWrapPending = saved.isWrapPending && saved.column === this.column;
    return saved.isOrigin;
  }

  /** Whether the present grid has a saved cursor. */
  get hasSavedCursor(): boolean {
    return (this.isAlternate ? this.#saved.alternate : this.#saved.primary) !== undefined;
  }

  forgetSavedCursor(): void {
    if (this.isAlternate) this.#saved.alternate = undefined;
    else this.#saved.primary = undefined;
  }

  /** Shows the alternate or the primary grid; the cursor stays. */
  switchGrid(isAlternate: boolean): void {
    if (isAlternate === this.isAlternate) return;
    const { row, column, isWrapPending } = this;
    if (isAlternate) this.#left = { row, column, isWrapPending };
    const grid = isAlternate ? this.#showAlternate() : this.#primary;
    this.grid = grid;
    this.damage.markAll();
  }

  clearHistory(): void {
    this.#primary.clearHistory();
  }

  /** Visits the present and the saved pens, to find the numbers in use. */
  forEachPen(visit: (pen: Pen) => void): void {
    for (const pen of [this.pen, this.#saved.primary?.pen, this.#saved.alternate?.pen]) if (pen) visit(pen);
  }

  forEachLine(visit: (line: Line) => void): void {
    this.#primary.forEachLine(visit);
    this.#alternate?.forEachLine(visit);
  }

  /**
   * Breaks wrapped text of the primary grid again; cuts the alternate grid or fills it with blanks.
   * @param holdRows returns the rows of the primary grid to leave as they are, if the cursor is in the given row
   */
  resize(
    size: GridSize,
    holdRows: (view: Pick<Grid, 'line' | 'rowOf'>, cursorRow: number) => HeldRows | undefined,
  ): void {
    const { row, isAlternate } = this;
    const next = nextCell(this);
    const hidden = nextCell(this.#left);
    const primaryNext = isAlternate ? hidden : next;
    const held = holdRows(this.#primary, primaryNext.row);
    const place = placeBefore(this.#primary.resizeReflowing(size, primaryNext, held), size);
    const alternateRow = this.#alternate?.resizePlain(size, isAlternate ? row : 0).cursorRow ?? 0;
    if (isAlternate) this.#moveHidden(place);
    const last = this.isWrapPending ? size.columns : size.columns - 1;
    const cut = placeBefore({ row: alternateRow, column: Math.min(next.column, last) }, size);
    const { column, row: newRow, isWrapPending } = isAlternate ? cut : place;
    this.resetMargins();
    this.tabStops.resize(size.columns);
    this.damage.resize(size.rows);
    this.moveTo(column, newRow);
    this.isWrapPending = isWrapPending;
  }

  reset(): void {
    this.switchGrid(false);
    this.pen.take(new Pen());
    this.charsets.reset();
    this.#saved = { primary: undefined, alternate: undefined };
    this.resetMargins();
    this.tabStops.reset();
    this.moveTo(0, 0);
    this.#alternate = undefined;
    this.#primary.clearHistory();
    this.sparesGuarded = false;
    this.clear();
  }

  /** Erases all cells, protected ones too; text goes on at the cursor. */
  clear(): void {
    for (let row = 0; row < this.rows; row += 1) {
      const line = this.grid.row(row);
      line.erase(0, this.columns, this.pen.background);
      line.isWrapped = false;
    }
    this.isWrapPending = false;
    this.damage.markAll();
  }

  #showAlternate(): Grid {
    const { columns, rows } = this;
    this.#alternate ??= new Grid({ columns, rows }, 0, this.#ids);
    return this.#alternate;
  }

  /** Moves the hidden cursor with the text, and the saved one if it is at the same place, as programs save it. */
  #moveHidden(place: CursorPlace): void {
    const saved = this.#saved.primary;
    if (saved?.row === this.#left.row && saved.column === this.#left.column) Object.assign(saved, place);
    this.#left = place;
  }
}

function clamp(value: number, first: number, last: number): number {
  return value < first ? first : Math.min(value, last);
}
