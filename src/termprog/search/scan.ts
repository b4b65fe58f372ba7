import { findMatches, firstOfRun, lastOfRun, type Match } from './find-matches.ts';
import { LineText, type TextView } from './line-text.ts';
import { MatchList } from './match-list.ts';
import type { Pattern } from './pattern.ts';
import type { RowNumbers } from './row-numbers.ts';

/** Matches that are kept; who has more of them types on. */
export const MATCHES_MAX = 100_000;

/** Lines between two looks at the clock. */
const LINES_PER_LOOK = 32;

/**
 * Looks through the screen and then, slice by slice, through the history, newest line first. Lines that scroll into the
 * history are looked through once more, and then never again: they don't change.
 */
export class Scan {
  /** By the numbers of rows. */
  readonly matches = new MatchList();
  readonly #view: TextView;
  readonly #numbers: RowNumbers;
  readonly #pattern: Pattern;
  readonly #text = new LineText();
  /** Number of the newest row that was not looked at in the history. */
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

  /** The whole history was looked through, or there are too many matches. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** There may be more matches than are kept. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Whether a row was looked at. */
  hasSeen(row: number): boolean {
    return row > this.#nextOlder;
  }

  /** Looks at the screen again, and at what has left it. */
  takeOutput(): void {
    const view = this.#view;
    const { pushed, oldest } = this.#numbers;
    const settled: Match[] = [];
    const screen: Match[] = [];
    let first = Math.max(this.#firstOpen, oldest) - pushed;
    let open = first;
    while (first < view.rows) {
      const last = lastOfRun(view, first);
      const into = last < 0 ? settled : screen;
      // One by one: a line of many rows may have more than a call takes as arguments.
      for (const match of this.#find(first, last)) into.push(match);
      if (last < 0) open = last + 1;
      first = last + 1;
    }
    this.#firstOpen = open + pushed;
    this.matches.renewScreen(settled, screen);
    if (this.matches.count > MATCHES_MAX) this.#isCut = true;
    this.matches.dropOldest(oldest, MATCHES_MAX);
  }

  /** Looks at older lines until it is late. */
  goOn(isLate: () => boolean): void {
    const { pushed, oldest } = this.#numbers;
    for (let lines = 1; !this.#isDone; lines += 1) {
      if (this.#nextOlder < oldest) this.#isDone = true;
      else if (this.matches.count >= MATCHES_MAX) {
        this.#isDone = true;
        this.#isCut = true;
      } else {
        const last = this.#nextOlder - pushed;
        const first = Math.max(firstOfRun(this.#view, last), oldest - pushed);
        this.matches.addOlder(this.#find(first, last));
        this.#nextOlder = first - 1 + pushed;
        // A line of many rows counts as all of them.
        if ((lines % LINES_PER_LOOK === 0 || last - first >= LINES_PER_LOOK) && isLate()) return;
      }
    }
  }

  /** The match that begins at a place, if one does now. */
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
