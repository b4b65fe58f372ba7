import {
  BACKGROUND,
  type CellLine,
  CONTENT,
  FOREGROUND,
  INVERSE,
  UNDERLINE,
  UNDERLINE_MASK,
  UNDERLINE_SHIFT,
  WORDS_PER_CELL,
} from '../engine/cell.ts';

/** The decorations over the lines of the view. */
export interface ShownLink {
  /** Columns of the link's cells in a row of the view; empty for a row without the link. */
  cellsIn(row: number): readonly { start: number; end: number }[];
  /** Text of the bar; undefined for no bar. */
  text: string | undefined;
  /** The row of the view that the bar covers. */
  barRow: number;
}

/** Underlines a link, and shows its target, or the reason why it is not opened, in a bar. */
export class LinkOverlay {
  readonly #shown: () => ShownLink | undefined;
  readonly #columns: () => number;
  #words = new Uint32Array(0);

  constructor({ shown, columns }: { shown(): ShownLink | undefined; columns(): number }) {
    this.#shown = () => shown();
    this.#columns = () => columns();
  }

  get isActive(): boolean {
    return this.#shown() !== undefined;
  }

  covers(row: number): boolean {
    const shown = this.#shown();
    return shown?.text !== undefined && row === shown.barRow;
  }

  decorate(row: number, line: CellLine): CellLine {
    const shown = this.#shown();
    if (shown === undefined) return line;
    if (shown.text !== undefined && row === shown.barRow)
      return { id: line.id, isWrapped: false, words: this.#layOut(shown.text) };
    const spans = shown.cellsIn(row);
    if (spans.length === 0) return line;
    const words = this.#room(line.words.length);
    words.set(line.words);
    for (const { start, end } of spans) underline(words, start, end);
    return { id: line.id, isWrapped: line.isWrapped, words };
  }

  /** Lays out the bar; each character of the text takes one cell. */
  #layOut(text: string): Uint32Array {
    const columns = this.#columns();
    const words = this.#room(columns * WORDS_PER_CELL);
    words.fill(0);
    const characters = Array.from(` ${text}`);
    for (let column = 0; column < columns; column += 1) {
      words[column * WORDS_PER_CELL + FOREGROUND] = INVERSE;
      words[column * WORDS_PER_CELL + CONTENT] = characters[column]?.codePointAt(0) ?? 0;
    }
    return words;
  }

  #room(length: number): Uint32Array {
    if (this.#words.length !== length) this.#words = new Uint32Array(length);
    return this.#words;
  }
}

function underline(words: Uint32Array, start: number, end: number): void {
  for (let at = start * WORDS_PER_CELL; at < Math.min(end * WORDS_PER_CELL, words.length); at += WORDS_PER_CELL) {
    const background = words[at + BACKGROUND] ?? 0;
    words[at + BACKGROUND] = (background & ~UNDERLINE_MASK) | (UNDERLINE.single << UNDERLINE_SHIFT);
  }
}
