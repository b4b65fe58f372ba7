import { findMatches, firstOfRun, lastOfRun, type Match } from './find-matches.ts';
import { LineText, type TextView } from './line-text.ts';
import { MatchList } from './match-list.ts';
import type { Pattern } from './pattern.ts';
import type { RowNumbers } from './row-numbers.ts';

/** Most matches that are kept; with more, the user must type further characters. */
export const MATCHES_MAX = 100_000;

/** Cells between two checks of the clock; searching them takes about a millisecond. */
const CELLS_PER_LOOK = 8_192;

/**
 * Searches the screen and then, slice by slice, the history, newest line first. Lines that scroll into the history are
 * searched once more, and then never again, because they don't change.
 */
export class Scan {
  /** Matches by row numbers. */
  readonly matches = new MatchList();
  readonly #view: TextView;
  readonly #numbers: RowNumbers;
  readonly #pattern: Pattern;
  readonly #text = new LineText();
  /** Number of the newest row in the history that was not searched yet. */
  #nextOlder: number;
  /** Number of the first row that may still change. */
  #firstOpen: number;
  #isDone = false;
  #isCut = false;

  constructor(view: TextView, numbers: RowNumbers, pattern: Pattern) {
    this.#view = view;
    this.#numbers = numbers;
    this.#pattern = pattern;
    this.#firstOpen = firstOfRun(view, 0) + numbers.pushed;
    this.#nextOlder = this.#firstOpen - 1;
    this.takeOutput();
  }

  /** Whether the whole history was searched, or there are too many matches. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether there may be more matches than are kept. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Whether a row was searched. */
  hasSeen(row: number): boolean {
    return row > this.#nextOlder;
  }

  /** Searches the screen again, and the lines that have left it. */
  takeOutput(): void {
    const view = this.#view;
    const { pushed, oldest } = this.#numbers;
    const settled: Match[] = [];
    const screen: Match[] = [];
    let first = Math.max(this.#firstOpen, oldest) - pushed;
    let open = first;
    while (first < view.rows) {
      const last = lastOfRun(view, first);
      const found = this.#find(first, last);
      if (last < 0) {
        append(settled, found);
        open = last + 1;
      } else append(screen, found);
      first = last + 1;
    }
    this.#firstOpen = open + pushed;
    this.matches.renewScreen(settled, screen);
    if (this.matches.count > MATCHES_MAX) this.#isCut = true;
    this.matches.dropOldest(oldest, MATCHES_MAX);
  }

  /** Searches older lines until it is late. */
  goOn(isLate: () => boolean): void {
    const { pushed, oldest } = this.#numbers;
    let rows = 0;
    while (!this.#isDone) {
      if (this.#nextOlder < oldest) this.#isDone = true;
      else if (this.matches.count >= MATCHES_MAX) {
        this.#isDone = true;
        this.#isCut = true;
      } else {
        const last = this.#nextOlder - pushed;
        const first = Math.max(firstOfRun(this.#view, last), oldest - pushed);
        this.matches.addOlder(this.#find(first, last));
        this.#nextOlder = first - 1 + pushed;
        rows += last - first + 1;
        if (rows * this.#view.columns < CELLS_PER_LOOK) continue;
        rows = 0;
        if (isLate()) return;
      }
    }
  }

  /** Returns the match that begins at a place now, if any. */
  matchAt({ row, column }: Pick<Match, 'row' | 'column'>): Match | undefined {
    const at = row - this.#numbers.pushed;
    if (this.#view.line(at) === undefined) return undefined;
    const first = firstOfRun(this.#view, at);
    return this.#find(first, at).find((match) => match.row === row && match.column === column);
  }

  #find(first: number, last: number): Match[] {
    const { pushed } = this.#numbers;
    const found = findMatches(this.#view, { first, last }, this.#pattern, this.#text);
    for (const match of found) {
      match.row += pushed;
      match.endRow += pushed;
    }
    return found;
  }
}

/** Appends in a loop, because there may be more matches than a call can have arguments. */
function append(matches: Match[], more: readonly Match[]): void {
  for (const match of more) matches.push(match);
}
