import {
  BACKGROUND,
  type CellLine,
  CONTENT,
  CONTINUATION,
  EXTRA,
  FOREGROUND,
  INVERSE,
  UNDERLINE,
  UNDERLINE_SHIFT,
  WIDE,
  WORDS_PER_CELL,
} from '../engine/cell.ts';

/** What is composed, and where. */
export interface ShownPreedit {
  text: string;
  /** Characters before the caret. */
  caret: number;
  row: number;
  column: number;
  columns: number;
}

interface ComposedCell {
  code: number;
  isWide: boolean;
  isAtCaret: boolean;
}

/** Lays text that is being composed over the line of the cursor: underlined, with a caret, and moved left where it is long. */
export class PreeditDecorator {
  readonly #shown: () => ShownPreedit | undefined;
  readonly #widthOf: (code: number) => number;

  /** @param widthOf cells of a character: 0, 1 or 2 */
  constructor(shown: () => ShownPreedit | undefined, widthOf: (code: number) => number) {
    this.#shown = shown;
    this.#widthOf = widthOf;
  }

  get isActive(): boolean {
    return this.#shown() !== undefined;
  }

  decorate(row: number, line: CellLine): CellLine {
    const shown = this.#shown();
    if (shown === undefined || row !== shown.row) return line;
    const cells = this.#cellsOf(shown);
    const length = cells.reduce((sum, { isWide }) => sum + (isWide ? 2 : 1), 0);
    const words = new Uint32Array(shown.columns * WORDS_PER_CELL);
    words.set(line.words.subarray(0, words.length));
    let column = Math.max(0, Math.min(shown.column, shown.columns - length));
    for (const cell of cells) {
      if (column + (cell.isWide ? 2 : 1) > shown.columns) break;
      put(words, column, cell);
      column += cell.isWide ? 2 : 1;
    }
    return { ...line, words };
  }

  /** Characters without a width of their own are left out. */
  #cellsOf({ text, caret }: ShownPreedit): ComposedCell[] {
    return [...text].flatMap((character, index) => {
      const code = character.codePointAt(0) ?? 0;
      const width = this.#widthOf(code);
      return width === 0 ? [] : [{ code, isWide: width === 2, isAtCaret: index === caret }];
    });
  }
}

function put(words: Uint32Array, column: number, { code, isWide, isAtCaret }: ComposedCell): void {
  const at = column * WORDS_PER_CELL;
  words.fill(0, at, at + (isWide ? 2 : 1) * WORDS_PER_CELL);
  for (const [index, content] of (isWide ? [code | WIDE, CONTINUATION] : [code]).entries()) {
    const cell = at + index * WORDS_PER_CELL;
    words[cell + CONTENT] = content;
    words[cell + FOREGROUND] = isAtCaret ? INVERSE : 0;
    words[cell + BACKGROUND] = UNDERLINE.single << UNDERLINE_SHIFT;
    words[cell + EXTRA] = 0;
  }
}
