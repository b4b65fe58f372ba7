import {
  BACKGROUND,
  CLUSTER,
  CODE_MASK,
  CONTENT,
  CONTINUATION,
  FOREGROUND,
  INVERSE,
  WIDE,
  WORDS_PER_CELL,
} from '../engine/cell.ts';
import { createCharacterProperties, WIDTH_MASK } from '../engine/width/character-properties.ts';
import type { Composition } from '../ports/text-input.ts';
import { clustersOf } from './query-text.ts';

/** Content of the bar. */
export interface BarText {
  query: string;
  status: string;
  /** Text under composition after the query. */
  composition?: Composition | undefined;
}

const LABEL = ' Search: ';
/** Replaces the label if there is little room. */
const SHORT_LABEL = '/';

/** Cells that the typed text gets before label and status do. */
const QUERY_CELLS = 12;

/** Most clusters with several code points that get a number; for further ones the bar shows the first code point. */
const CLUSTERS_MAX = 1_024;

interface Cluster {
  text: string;
  cells: number;
  /** Bits of the cells' words for its look: text under composition has its own. */
  foreground: number;
  background: number;
}

/** Look of the bar. */
const PLAIN = { foreground: INVERSE, background: 0 };

/** The shown parts of query and composition. */
interface Layout {
  label: readonly Cluster[];
  status: readonly Cluster[];
  typed: readonly Cluster[];
  composed: readonly Cluster[];
}

/** Lays out the bar: a label, the typed text with its cursor, and the status at the right end. */
export class SearchBar {
  readonly #properties = createCharacterProperties();
  /** Cluster text → index; numbers count down from the largest, because those of the screen count up. */
  readonly #numbers = new Map<string, number>();
  #words = new Uint32Array(0);

  /** Returns the text of a cluster in the bar; undefined for a number of another owner. */
  clusterText(number: number): string | undefined {
    const index = CODE_MASK - number;
    if (index >= this.#numbers.size) return undefined;
    return [...this.#numbers.keys()][index];
  }

  /** Returns the cells of the bar, valid until the next call. */
  layOut(text: BarText, columns: number): Uint32Array {
    if (this.#words.length !== columns * WORDS_PER_CELL) this.#words = new Uint32Array(columns * WORDS_PER_CELL);
    this.#words.fill(0);
    for (let column = 0; column < columns; column += 1) this.#words[column * WORDS_PER_CELL + FOREGROUND] = INVERSE;
    const { label, typed, composed, status } = this.#divide(text, columns);
    const column = this.#put(0, [...label, ...typed, ...composed], columns);
    // The cursor is a cell that is not inverse.
    const isAtEnd = text.composition === undefined || text.composition.caret >= text.composition.characters.length;
    if (isAtEnd && column < columns) this.#words[column * WORDS_PER_CELL + FOREGROUND] = 0;
    this.#put(columns - widthOf(status), status, columns);
    return this.#words;
  }

  /** Returns the column of the next typed text: after the query, where a composition begins. */
  typingColumn(text: BarText, columns: number): number {
    const { label, typed } = this.#divide(text, columns);
    return Math.min(widthOf(label) + widthOf(typed), columns - 1);
  }

  /** Divides the room; query and composition are cut at the start. */
  #divide({ query, status, composition }: BarText, columns: number): Layout {
    const { label, shown, room } = divide(status, columns);
    const composed = this.#measureComposed(composition);
    const fitting = lastOf([...this.#measure(query), ...composed], room - 1);
    const first = Math.max(0, fitting.length - composed.length);
    return {
      label: this.#measure(label),
      status: this.#measure(shown),
      typed: fitting.slice(0, first),
      composed: fitting.slice(first),
    };
  }

  #measure(text: string): Cluster[] {
    return clustersOf(text).map((cluster) => this.#measureCluster(cluster));
  }

  #measureCluster(cluster: string): Cluster {
    const widths = Array.from(cluster, (character) => this.#properties(character.codePointAt(0) ?? 0) & WIDTH_MASK);
    return { ...PLAIN, text: cluster.normalize('NFC'), cells: Math.min(2, Math.max(1, ...widths)) };
  }

  /** A cluster has the look of its first character; the one with the caret has the colours of the bar's cursor. */
  #measureComposed(composition: Composition | undefined): Cluster[] {
    if (composition === undefined) return [];
    const { characters, caret } = composition;
    let end = 0;
    return clustersOf(characters.map(({ character }) => character).join('')).map((cluster) => {
      const start = end;
      end += [...cluster].length;
      const { foreground, background } = characters[start] ?? { foreground: 0, background: 0 };
      const caretBit = caret >= start && caret < end ? INVERSE : 0;
      return {
        ...this.#measureCluster(cluster),
        foreground: PLAIN.foreground ^ foreground ^ caretBit,
        background,
      };
    });
  }

  /** Writes clusters, and returns the column after them. */
  #put(start: number, clusters: readonly Cluster[], columns: number): number {
    let column = start;
    for (const { text, cells, foreground, background } of clusters) {
      if (column + cells > columns) break;
      const content = this.#contentOf(text);
      for (let cell = 0; cell < cells; cell += 1) {
        const at = (column + cell) * WORDS_PER_CELL;
        this.#words[at + CONTENT] = cell === 1 ? CONTINUATION : cells === 2 ? content | WIDE : content;
        this.#words[at + FOREGROUND] = foreground;
        this.#words[at + BACKGROUND] = background;
      }
      column += cells;
    }
    return column;
  }

  #contentOf(text: string): number {
    const code = text.codePointAt(0) ?? 0;
    const isSingle = String.fromCodePoint(code) === text;
    if (isSingle || (!this.#numbers.has(text) && this.#numbers.size >= CLUSTERS_MAX)) return code;
    const number = this.#numbers.get(text) ?? CODE_MASK - this.#numbers.size;
    this.#numbers.set(text, number);
    return CLUSTER | number;
  }
}

/** Returns the shown label and status, and the number of cells left for text and cursor. */
function divide(status: string, columns: number): { label: string; shown: string; room: number } {
  const shown = status === '' ? '' : ` ${status} `;
  for (const [label, end] of [
    [LABEL, shown],
    [SHORT_LABEL, shown],
    [SHORT_LABEL, ''],
  ] as const) {
    const room = columns - label.length - end.length;
    if (room >= QUERY_CELLS) return { label, shown: end, room };
  }
  return { label: '', shown: '', room: columns };
}

const widthOf = (clusters: readonly Cluster[]): number => clusters.reduce((sum, { cells }) => sum + cells, 0);

/** Returns the last clusters that fit. */
function lastOf(clusters: readonly Cluster[], room: number): Cluster[] {
  let cells = 0;
  let first = clusters.length;
  while (first > 0 && cells + (clusters[first - 1]?.cells ?? 0) <= room) {
    first -= 1;
    cells += clusters[first]?.cells ?? 0;
  }
  return clusters.slice(first);
}
