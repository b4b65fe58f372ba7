import {
  BACKGROUND,
  type CellLine,
  CONTENT,
  CONTINUATION,
  EXTRA,
  FOREGROUND,
  INVERSE,
  WIDE,
  WORDS_PER_CELL,
} from '../engine/cell.ts';
import type { Composition } from '../ports/text-input.ts';

/** The text under composition, and its place. */
export interface ShownPreedit extends Composition {
  row: number;
  column: number;
  columns: number;
}

interface ComposedCell {
  code: number;
  isWide: boolean;
  foreground: number;
  background: number;
}

const widthOf = ({ isWide }: ComposedCell): number => (isWide ? 2 : 1);

/**
 * Draws the text under composition over the line of the cursor, and shifts it left if it is long. Its caret, an
 * inverted cell, replaces the cursor.
 */
export class PreeditDecorator {
  readonly #shown: () => ShownPreedit | undefined;
  readonly #widthOf: (code: number) => number;

  /** @param widthOf returns the cells of a character: 0, 1 or 2 */
  constructor(shown: () => ShownPreedit | undefined, widthOf: (code: number) => number) {
    this.#shown = shown;
    this.#widthOf = widthOf;
  }

  get isActive(): boolean {
    return this.#shown() !== undefined;
  }

  covers(row: number): boolean {
    return row === this.#shown()?.row;
  }

  decorate(row: number, line: CellLine): CellLine {
    const shown = this.#shown();
    if (shown === undefined || row !== shown.row) return line;
    const cells = this.#cellsOf(shown);
    const length = cells.reduce((sum, cell) => sum + widthOf(cell), 0);
    const words = new Uint32Array(shown.columns * WORDS_PER_CELL);
    words.set(line.words.subarray(0, words.length));
    let column = Math.max(0, Math.min(shown.column, shown.columns - length));
    for (const cell of cells) {
      if (column + widthOf(cell) > shown.columns) break;
      put(words, column, cell);
      column += widthOf(cell);
    }
    return { ...line, words };
  }

  /** Drops characters without a width of their own. A caret after the last one has its own cell. */
  #cellsOf({ characters, caret }: ShownPreedit): ComposedCell[] {
    const cells = characters.flatMap(({ character, foreground, background }, index) => {
      const code = character.codePointAt(0) ?? 0;
      const width = this.#widthOf(code);
      const caretBit = index === caret ? INVERSE : 0;
      return width === 0 ? [] : [{ code, isWide: width === 2, foreground: foreground ^ caretBit, background }];
    });
    const isAtEnd = caret >= characters.length;
    return isAtEnd ? [...cells, { code: 0, isWide: false, foreground: INVERSE, background: 0 }] : cells;
  }
}

function put(words: Uint32Array, column: number, { code, isWide, foreground, background }: ComposedCell): void {
  const at = column * WORDS_PER_CELL;
  words.fill(0, at, at + (isWide ? 2 : 1) * WORDS_PER_CELL);
  for (const [index, content] of (isWide ? [code | WIDE, CONTINUATION] : [code]).entries()) {
    const cell = at + index * WORDS_PER_CELL;
    words[cell + CONTENT] = content;
    words[cell + FOREGROUND] = foreground;
    words[cell + BACKGROUND] = background;
    words[cell + EXTRA] = 0;
  }
}
