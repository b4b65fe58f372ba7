import { WORDS_PER_CELL } from './cell.ts';

/** The size of a buffer that lines share, in bytes: about this, but at least one line. */
const BUFFER_BYTES = 65_536;

/**
 * Stores the cells of many lines; dozens share a buffer. One buffer for each line of a long history would cost a third
 * more memory. It would also cause pauses that the user notices, because the garbage collector visits each buffer.
 */
export class CellStorage {
  #buffer = new ArrayBuffer(0);
  #usedBytes = 0;

  /** Returns the words of a line of blanks. */
  blankLine(columns: number): Uint32Array {
    const length = columns * WORDS_PER_CELL;
    const bytes = length * Uint32Array.BYTES_PER_ELEMENT;
    if (this.#usedBytes + bytes > this.#buffer.byteLength) {
      this.#buffer = new ArrayBuffer(bytes * Math.max(1, Math.floor(BUFFER_BYTES / bytes)));
      this.#usedBytes = 0;
    }
    const words = new Uint32Array(this.#buffer, this.#usedBytes, length);
    this.#usedBytes += bytes;
    return words;
  }
}
