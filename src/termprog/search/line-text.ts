import { type CellLine, CLUSTER, CODE_MASK, CONTINUATION, WORDS_PER_CELL } from '../engine/cell.ts';
import type { ScreenView } from '../engine/engine.ts';
import { textCells, wrappedCells } from '../engine/row-cells.ts';
import { normalizeCluster, type Pattern } from './pattern.ts';

/** The part of the screen that search needs. */
export type TextView = Pick<ScreenView, 'line' | 'clusterText' | 'historyLines' | 'rows' | 'columns'>;

const SPACE = 0x20;
const FIRST_CAPACITY = 4_096;

/** Bits of a column in the low half of a place. */
const ROW_SHIFT = 16;
const COLUMN_MASK = 0xffff;

/**
 * The text of rows that form one line of text, as code points with their cells. One object is reused for all lines: it
 * reads a history of a million lines.
 */
export class LineText {
  codes = new Uint32Array(FIRST_CAPACITY);
  length = 0;
  #places = new Uint32Array(FIRST_CAPACITY);

  /** Row of the code point at `at`, counted from the first one that was read. */
  rowAt(at: number): number {
    return (this.#places[at] as number) >>> ROW_SHIFT;
  }

  columnAt(at: number): number {
    return (this.#places[at] as number) & COLUMN_MASK;
  }

  /** Whether a cell begins at `at`, or the text ends there. */
  isBoundary(at: number): boolean {
    return at === 0 || at === this.length || this.#places[at] !== this.#places[at - 1];
  }

  /**
   * Reads rows that continue each other. If the text continues after them, it also reads as much of the rest as a match
   * that begins in them may need.
   */
  read(view: TextView, first: number, last: number, pattern: Pattern): void {
    this.length = 0;
    let enough = Number.POSITIVE_INFINITY;
    for (let row = first; this.length < enough; row += 1) {
      const line = view.line(row);
      if (line === undefined) break;
      const next = line.isWrapped ? view.line(row + 1) : undefined;
      this.#append(view, line, row - first, next, pattern);
      if (next === undefined) break;
      if (row === last) enough = this.length + pattern.codes.length;
    }
  }

  #append(view: TextView, line: CellLine, row: number, next: CellLine | undefined, { fold }: Pattern): void {
    const { words } = line;
    const end = WORDS_PER_CELL * (next === undefined ? textCells(line) : wrappedCells(line, next));
    this.#makeRoom(this.length + end / WORDS_PER_CELL);
    for (let at = 0, place = row << ROW_SHIFT; at < end; at += WORDS_PER_CELL, place += 1) {
      const content = words[at] as number;
      if ((content & CONTINUATION) !== 0) continue;
      if ((content & CLUSTER) === 0) this.#put(fold(content & CODE_MASK || SPACE), place);
      else {
        const text = normalizeCluster(view.clusterText(content & CODE_MASK));
        this.#makeRoom(this.length + text.length + (end - at) / WORDS_PER_CELL);
        for (const character of text) this.#put(fold(character.codePointAt(0) as number), place);
      }
    }
  }

  #put(code: number, place: number): void {
    this.codes[this.length] = code;
    this.#places[this.length] = place;
    this.length += 1;
  }

  #makeRoom(length: number): void {
    if (length <= this.codes.length) return;
    const codes = new Uint32Array(2 * length);
    const places = new Uint32Array(2 * length);
    codes.set(this.codes);
    places.set(this.#places);
    this.codes = codes;
    this.#places = places;
  }
}
