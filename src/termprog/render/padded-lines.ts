import { type CellLine, WORDS_PER_CELL } from '../engine/cell.ts';

/** Gives each line the width of the window's grid. It owns one buffer, in which short lines are padded with blanks. */
export class PaddedLines {
  #padded = new Uint32Array(0);

  /** Sets the width of the grid, in cells. */
  resize(columns: number): void {
    this.#padded = new Uint32Array(columns * WORDS_PER_CELL);
  }

  /** Returns the words of a line, at least as many as the grid is wide; valid until the next call. */
  wordsOf(line: CellLine | undefined): Uint32Array {
    const words = line?.words;
    const padded = this.#padded;
    if (words !== undefined && words.length >= padded.length) return words;
    padded.fill(0);
    if (words !== undefined) padded.set(words);
    return padded;
  }
}
