import {
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
import { clustersOf } from './query-text.ts';

/** What the bar says. */
export interface BarText {
  query: string;
  status: string;
}

const LABEL = ' Search: ';
/** Instead of the label, where there is little room. */
const SHORT_LABEL = '/';

/** Cells that the typed text gets before label and status do. */
const QUERY_CELLS = 12;

/** Clusters with several code points that have had a place in the bar; of further ones it shows the first code point. */
const CLUSTERS_MAX = 1_024;

interface Cluster {
  text: string;
  cells: number;
}

/** Lays out the bar: a label, the typed text with its cursor, and at the right end what was found. */
export class SearchBar {
  readonly #properties = createCharacterProperties();
  /** Clusters have numbers from the last one downwards: those of the screen come from the other end. */
  readonly #numbers = new Map<string, number>();
  #words = new Uint32Array(0);

  /** Text of a cluster in the bar; undefined for a number of somebody else's. */
  clusterText(number: number): string | undefined {
    const index = CODE_MASK - number;
    if (index >= this.#numbers.size) return undefined;
    return [...this.#numbers.keys()][index];
  }

  /** The cells of the bar, valid until the next call. */
  layOut({ query, status }: BarText, columns: number): Uint32Array {
    if (this.#words.length !== columns * WORDS_PER_CELL) this.#words = new Uint32Array(columns * WORDS_PER_CELL);
    this.#words.fill(0);
    for (let column = 0; column < columns; column += 1) this.#words[column * WORDS_PER_CELL + FOREGROUND] = INVERSE;
    const { label, shown, room } = divide(status, columns);
    let column = this.#put(0, this.#measure(label), columns);
    column = this.#put(column, lastOf(this.#measure(query), room - 1), columns);
    // The cursor: a cell that is not inverse.
    if (column < columns) this.#words[column * WORDS_PER_CELL + FOREGROUND] = 0;
    this.#put(columns - shown.length, this.#measure(shown), columns);
    return this.#words;
  }

  #measure(text: string): Cluster[] {
    return clustersOf(text).map((cluster) => {
      const widths = Array.from(cluster, (character) => this.#properties(character.codePointAt(0) ?? 0) & WIDTH_MASK);
      return { text: cluster.normalize('NFC'), cells: Math.min(2, Math.max(1, ...widths)) };
    });
  }

  /** The column behind what was put. */
  #put(start: number, clusters: readonly Cluster[], columns: number): number {
    let column = start;
    for (const { text, cells } of clusters) {
      if (column + cells > columns) break;
      const at = column * WORDS_PER_CELL;
      const content = this.#contentOf(text);
      this.#words[at + CONTENT] = cells === 2 ? content | WIDE : content;
      if (cells === 2) this.#words[at + WORDS_PER_CELL + CONTENT] = CONTINUATION;
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

/** What of label and status is shown, and how many cells are left for text and cursor. */
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

/** The last of the clusters, as many as there is room for. */
function lastOf(clusters: readonly Cluster[], room: number): Cluster[] {
  let cells = 0;
  let first = clusters.length;
  while (first > 0 && cells + (clusters[first - 1]?.cells ?? 0) <= room) {
    first -= 1;
    cells += clusters[first]?.cells ?? 0;
  }
  return clusters.slice(first);
}
