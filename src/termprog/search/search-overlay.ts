import {
  BACKGROUND,
  BLINK,
  type CellLine,
  COLOR_MASK,
  COLOR_RGB,
  DIM,
  FOREGROUND,
  INVERSE,
  INVISIBLE,
  WORDS_PER_CELL,
} from '../engine/cell.ts';
import type { Composition, TypingPlace } from '../ports/text-input.ts';
import { type BarText, SearchBar } from './search-bar.ts';
import type { SearchSession } from './search-session.ts';

/** Black on yellow and on orange, as browsers mark matches; both stand out on any background. */
const TEXT_COLOR = COLOR_RGB | 0x00_0000;
const FOUND_COLOR = COLOR_RGB | 0xff_e566;
const ACTIVE_COLOR = COLOR_RGB | 0xff_9632;

/** Bits of a word that stay when its colours are replaced: the text must be readable, regardless of its attributes. */
const KEPT_BESIDE_TEXT = ~(COLOR_MASK | DIM | BLINK | INVERSE | INVISIBLE);
const KEPT_BESIDE_PAPER = ~COLOR_MASK;

/** Draws the bar, and marks the matches. */
export class SearchOverlay {
  readonly #session: () => SearchSession | undefined;
  readonly #columns: () => number;
  readonly #composition: () => Composition | undefined;
  readonly #bar = new SearchBar();
  #words = new Uint32Array(0);

  constructor({
    session,
    columns,
    composition,
  }: {
    session(): SearchSession | undefined;
    columns(): number;
    /** The text under composition for the search. */
    composition(): Composition | undefined;
  }) {
    this.#session = () => session();
    this.#columns = () => columns();
    this.#composition = () => composition();
  }

  get isActive(): boolean {
    return this.#session() !== undefined;
  }

  covers(row: number): boolean {
    return row === this.#session()?.barRow;
  }

  /** Returns the place of the next typed text. */
  typingPlace(session: SearchSession): TypingPlace {
    return { row: session.barRow, column: this.#bar.typingColumn(this.#textOf(session), this.#columns()) };
  }

  clusterText(number: number): string | undefined {
    return this.#bar.clusterText(number);
  }

  decorate(row: number, line: CellLine): CellLine {
    const session = this.#session();
    if (session === undefined) return line;
    if (row === session.barRow)
      return { id: line.id, isWrapped: false, words: this.#bar.layOut(this.#textOf(session), this.#columns()) };
    const spans = session.spansIn(row);
    if (spans.length === 0) return line;
    const words = this.#copy(line.words);
    for (const { start, end, isActive } of spans) paint(words, start, end, isActive ? ACTIVE_COLOR : FOUND_COLOR);
    return { id: line.id, isWrapped: line.isWrapped, words };
  }

  #textOf({ query, status }: SearchSession): BarText {
    return { query, status, composition: this.#composition() };
  }

  #copy(words: Uint32Array): Uint32Array {
    if (this.#words.length !== words.length) this.#words = new Uint32Array(words.length);
    this.#words.set(words);
    return this.#words;
  }
}

function paint(words: Uint32Array, start: number, end: number, color: number): void {
  for (let at = start * WORDS_PER_CELL; at < Math.min(end * WORDS_PER_CELL, words.length); at += WORDS_PER_CELL) {
    words[at + FOREGROUND] = ((words[at + FOREGROUND] as number) & KEPT_BESIDE_TEXT) | TEXT_COLOR;
    words[at + BACKGROUND] = ((words[at + BACKGROUND] as number) & KEPT_BESIDE_PAPER) | color;
  }
}
