import { BACKGROUND, type CellLine, COLOR_MASK, FOREGROUND, INVERSE, WORDS_PER_CELL } from '../../engine/cell.ts';
import { isSecondHalf } from '../../engine/cell-text.ts';
import type { ScreenView } from '../../engine/engine.ts';
import type { MarkedText } from './marked-text.ts';
import { columnsIn } from './text-range.ts';

/** The look of marked cells: with swapped colours, in their own colours, or on another background. */
export type MarkedLook = 'inverse' | 'plain' | { background: number };

export interface MarkedLinesParts {
  view: ScreenView;
  /** Lines between the view and the live screen. */
  linesAbove(): number;
  marked(): MarkedText | undefined;
  look(): MarkedLook;
  /** The marked text was changed on the screen, or is gone. */
  lost(): void;
}

/** Decorates the marked text. */
export class MarkedLines {
  readonly #parts: MarkedLinesParts;
  #words = new Uint32Array();

  constructor(parts: MarkedLinesParts) {
    this.#parts = parts;
  }

  get isActive(): boolean {
    return this.#parts.marked() !== undefined;
  }

  /**
   * Returns the line as it is drawn; a copy is valid until the next call.
   * @param row of the view, from its top
   */
  decorate(row: number, line: CellLine): CellLine {
    const { view, marked, linesAbove, look, lost } = this.#parts;
    const text = marked();
    const range = text?.range;
    const screenRow = row - linesAbove();
    if (text === undefined) return line;
    if (range === undefined || !text.isUnchanged(screenRow, line, range)) {
      lost();
      return line;
    }
    const columns = columnsIn(range, screenRow, view.columns);
    const shown = look();
    if (columns === undefined || shown === 'plain') return line;
    const first = isSecondHalf(line, columns.first) ? columns.first - 1 : columns.first;
    const last = isSecondHalf(line, columns.last) ? columns.last + 1 : columns.last;
    const words = this.#copy(line.words, view.columns);
    for (let at = first * WORDS_PER_CELL; at < last * WORDS_PER_CELL; at += WORDS_PER_CELL) {
      if (shown === 'inverse') words[at + FOREGROUND] = (words[at + FOREGROUND] ?? 0) ^ INVERSE;
      else {
        words[at + FOREGROUND] = (words[at + FOREGROUND] ?? 0) & ~INVERSE;
        words[at + BACKGROUND] = ((words[at + BACKGROUND] ?? 0) & ~COLOR_MASK) | shown.background;
      }
    }
    return { id: line.id, isWrapped: line.isWrapped, words };
  }

  /** Copies a line; lines of the history may have fewer cells than the window has columns. */
  #copy(words: Uint32Array, columns: number): Uint32Array {
    const length = Math.max(words.length, columns * WORDS_PER_CELL);
    if (this.#words.length !== length) this.#words = new Uint32Array(length);
    this.#words.set(words);
    this.#words.fill(0, words.length);
    return this.#words;
  }
}
