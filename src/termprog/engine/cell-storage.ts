import { WORDS_PER_CELL } from './cell.ts';

/** Lines share a buffer of at least one line and about this many bytes. */
const BUFFER_BYTES = 65_536;

/**
 * Storage for the cells of many lines: dozens share a buffer. A buffer of its own for each line of a long history would
 * cost a third more memory, and pauses of the garbage collector that a person notices: it visits each of them.
 */
export class CellStorage {
  #buffer = new ArrayBuffer(0);
  #usedBytes = 0;

  /** The words of a line of blanks. */
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
