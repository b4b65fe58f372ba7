import { BACKGROUND, type CellLine, COLOR_MASK, CONTENT, CONTINUATION, WIDE, WORDS_PER_CELL } from './cell.ts';
import type { CellStorage } from './cell-storage.ts';
import { textCells } from './row-cells.ts';

/** Gives each line an id that no other line of the terminal has or had. */
export class LineIds {
  #last = 0;

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}

/** Stores one line of cells. */
export class Line implements CellLine {
  id: number;
  words: Uint32Array;
  isWrapped = false;
  /**
   * Cells of a row that was wrapped in a screen of another width and left as it was: the text of the next row follows
   * after them. 0 for the whole row.
   */
  wrapCells = 0;
  /** Whether some cell may hold the number of a cluster or an extra. */
  hasNumbers = false;
  /** Whether every cell has the default colours and no attribute: then all words except those of content are 0. */
  isPlain = true;

  /** @param words as many blank cells */
  constructor(columns: number, id: number, words: Uint32Array = new Uint32Array(columns * WORDS_PER_CELL)) {
    this.id = id;
    this.words = words;
  }

  /** Turns this line into a blank one. It reuses the cells, or takes others from `storage` if the number differs. */
  renew(columns: number, id: number, background: number, storage: CellStorage): void {
    this.id = id;
    this.isWrapped = false;
    this.hasNumbers = false;
    this.isPlain = true;
    if (this.words.length === columns * WORDS_PER_CELL) this.words.fill(0);
    else this.words = storage.blankLine(columns);
    if (background !== 0) this.erase(0, columns, background);
  }

  /** Blanks cells from `start` up to, not including, `end`; only the colour of the word `background` is used. */
  erase(start: number, end: number, background: number): void {
    const { words } = this;
    words.fill(0, start * WORDS_PER_CELL, end * WORDS_PER_CELL);
    const color = background & COLOR_MASK;
    if (start === 0 && end * WORDS_PER_CELL === words.length) {
      this.hasNumbers = false;
      this.isPlain = true;
    }
    if (color === 0) return;
    this.isPlain = false;
    for (let at = start * WORDS_PER_CELL; at < end * WORDS_PER_CELL; at += WORDS_PER_CELL) {
      words[at + BACKGROUND] = color;
    }
  }

  /** Blanks cells as `erase` does, except for those whose content has a bit of `spared`. */
  eraseExcept(spared: number, start: number, end: number, background: number): void {
    const { words } = this;
    const color = background & COLOR_MASK;
    if (color !== 0) this.isPlain = false;
    // The words of a cell are written by number, because this runs for every cell of a screen.
    for (let at = start * WORDS_PER_CELL, last = end * WORDS_PER_CELL; at < last; at += WORDS_PER_CELL) {
      if (((words[at] as number) & spared) !== 0) continue;
      words[at] = 0;
      words[at + 1] = 0;
      words[at + 2] = color;
      words[at + 3] = 0;
    }
  }

  /** Moves cells from `start` up to `end` so that they begin at `to`. */
  move(start: number, end: number, to: number): void {
    this.words.copyWithin(to * WORDS_PER_CELL, start * WORDS_PER_CELL, end * WORDS_PER_CELL);
  }

  /** Copies the cells from `start` up to `end` of another line into this one. */
  copyCells({ words, hasNumbers, isPlain }: Line, start: number, end: number): void {
    this.hasNumbers ||= hasNumbers;
    this.isPlain &&= isPlain;
    this.words.set(words.subarray(start * WORDS_PER_CELL, end * WORDS_PER_CELL), start * WORDS_PER_CELL);
  }

  /** Cuts before `column`; a wide character that is cut through leaves two blanks. */
  splitWide(column: number): void {
    const { words } = this;
    const at = column * WORDS_PER_CELL;
    if (column <= 0 || at >= words.length || ((words[at] ?? 0) & CONTINUATION) === 0) return;
    words[at] = 0;
    const before = at - WORDS_PER_CELL;
    if (((words[before] ?? 0) & WIDE) !== 0) words[before] = 0;
  }

  /** Number of cells up to the last one with text; erased cells do not count, even if they have a colour. */
  get usedCells(): number {
    return textCells(this);
  }

  /** Whether no cell has text or a background colour. */
  get isBlank(): boolean {
    const { words } = this;
    for (let at = 0; at < words.length; at += WORDS_PER_CELL) {
      if (words[at + CONTENT] !== 0 || words[at + BACKGROUND] !== 0) return false;
    }
    return true;
  }

  /** Cuts the line, or appends blanks. */
  setColumns(columns: number): void {
    const length = columns * WORDS_PER_CELL;
    if (this.words.length === length) return;
    if (this.words.length > length) this.splitWide(columns);
    const words = new Uint32Array(length);
    words.set(this.words.length > length ? this.words.subarray(0, length) : this.words);
    this.words = words;
  }
}
