import type { ScreenView } from '../engine/engine.ts';
import type { TextAnchor } from '../engine/text-anchor.ts';
import { anchorAt, placeOf } from '../engine/text-anchors.ts';
import type { Match } from './find-matches.ts';
import { matchText } from './match-text.ts';
import { compilePattern, createFold, type Pattern } from './pattern.ts';
import { appendText, dropCharacter, dropWord } from './query-text.ts';
import { RowNumbers } from './row-numbers.ts';
import { Scan } from './scan.ts';
import type { SearchCommand } from './search-keys.ts';

/** The part of the view that search moves. */
export interface SearchedView {
  readonly linesAbove: number;
  scrollBy(lines: number): void;
  /**
   * Calls `follow` from now on instead of moving the view; after a resize with the distance from the bottom at which
   * the view shows the same text.
   * @returns a function that ends this
   */
  hold(follow: (linesAbove?: number) => void): () => void;
}

export interface SearchParts {
  screen: ScreenView;
  view: SearchedView;
  /** Offers text to other programs. */
  copy(text: string): void;
  /** Requests text of other programs; the answer may come later. */
  paste(take: (text: string) => void): void;
  ring(): void;
  redraw(): void;
  nowMs(): number;
}

/** Longest work between two turns of keys and output. */
const SLICE_MS = 4;

/** Delay between output and the next search of the screen: one search serves much output. */
const REFRESH_MS = 20;

/** Time between two updates of the progress. */
const PROGRESS_MS = 100;

/**
 * A search from its opening to its end. It owns the query, the scan, the active match and the timers.
 * @spec termprog#actions-usable-in-a-translations-resource-of-the-vt100-widget
 */
export class SearchSession {
  readonly #parts: SearchParts;
  readonly #onClose: () => void;
  readonly #release: () => void;
  /** Place of the view at the start; undefined at the newest text. */
  readonly #origin: TextAnchor | undefined;
  readonly #fold = createFold();
  #numbers: RowNumbers;
  #query = '';
  #pattern: Pattern | undefined;
  #scan: Scan | undefined;
  #active: Match | undefined;
  /** Start of the active match, for when rows must be numbered again. */
  #anchor: TextAnchor | undefined;
  /** Whether keys have chosen the active match. */
  #hasMoved = false;
  /** Waiting steps to older matches, or to newer ones if negative, until those are found. */
  #wantedSteps = 0;
  /** Whether the match is to be copied once it is found. */
  #isCopyWanted = false;
  #isClosed = false;
  #nextSlice: NodeJS.Immediate | undefined;
  #nextRefresh: NodeJS.Timeout | undefined;
  #shownMs = 0;

  constructor(parts: SearchParts, onClose: () => void) {
    this.#parts = parts;
    this.#onClose = () => onClose();
    const { screen, view } = parts;
    this.#origin = view.linesAbove === 0 ? undefined : anchorAt(screen, { row: -view.linesAbove, column: 0 });
    this.#numbers = new RowNumbers(screen);
    this.#release = view.hold((linesAbove) => this.#follow(linesAbove));
  }

  get query(): string {
    return this.#query;
  }

  /** Number of matches, and the active one, counted from the newest. */
  get status(): string {
    const scan = this.#scan;
    if (scan === undefined) return '';
    const { count } = scan.matches;
    if (count === 0) return scan.isDone ? 'no match' : '…';
    const index = this.#active === undefined ? -1 : scan.matches.indexOf(this.#active);
    const rest = scan.isCut ? '+' : scan.isDone ? '' : '…';
    return `${index < 0 ? '…' : index + 1}/${count}${rest}`;
  }

  /** Row of the view that the bar covers: the last one, or the first if the active match is in the last. */
  get barRow(): number {
    const { screen, view } = this.#parts;
    const last = screen.rows - 1;
    if (this.#active === undefined) return last;
    const offset = view.linesAbove - this.#numbers.pushed;
    const { row, endRow } = this.#active;
    return row + offset <= last && endRow + offset >= last && row + offset > 0 ? 0 : last;
  }

  /** Returns the matches in a row of the view: columns from `start` up to, but without, `end`. */
  spansIn(viewRow: number): { start: number; end: number; isActive: boolean }[] {
    const scan = this.#scan;
    if (scan === undefined) return [];
    if (!this.#numbers.isCurrent) {
      // Another cause than output has changed the text.
      this.#plan(() => {
        this.#follow();
        this.#goOn();
      });
      return [];
    }
    const row = viewRow - this.#parts.view.linesAbove + this.#numbers.pushed;
    return scan.matches.inRow(row).map((match) => ({
      start: match.row === row ? match.column : 0,
      end: match.endRow === row ? match.endColumn : Number.POSITIVE_INFINITY,
      isActive: match.row === this.#active?.row && match.column === this.#active.column,
    }));
  }

  /** Adds typed or pasted text. */
  type(text: string): void {
    const query = appendText(this.#query, text);
    if (query === undefined) this.#parts.ring();
    else if (query !== this.#query) this.#edit(query);
  }

  obey(command: SearchCommand): void {
    if (command === 'older' || command === 'newer') this.#move(command === 'older' ? 1 : -1);
    else if (command === 'copy') this.#copy();
    else if (command === 'cancel') this.cancel();
    else if (command === 'dropCharacter') this.#edit(dropCharacter(this.#query));
    else if (command === 'dropWord') this.#edit(dropWord(this.#query));
    else if (command === 'clear') this.#edit('');
    else if (command === 'paste') this.#parts.paste((text) => !this.#isClosed && this.type(text));
  }

  /** Closes the search, and restores the view. */
  cancel(): void {
    this.close();
    this.#showOrigin();
  }

  /** Closes the search; the view stays. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearImmediate(this.#nextSlice);
    clearTimeout(this.#nextRefresh);
    this.#release();
    this.#onClose();
    this.#parts.redraw();
  }

  #edit(query: string): void {
    this.#query = query;
    this.#wantedSteps = 0;
    this.#isCopyWanted = false;
    const before = this.#hasMoved ? this.#active : undefined;
    this.#active = undefined;
    this.#pattern = compilePattern(query, this.#fold);
    this.#startScan();
    const kept = before && this.#scan?.matchAt(before);
    this.#hasMoved = kept !== undefined;
    if (kept !== undefined) this.#activate(kept);
    this.#goOn();
    this.#redraw();
    if (this.#active === undefined) this.#showOrigin();
  }

  #startScan(): void {
    const { screen } = this.#parts;
    const pattern = this.#pattern;
    this.#scan = pattern && pattern.codes.length > 0 ? new Scan(screen, this.#numbers, pattern) : undefined;
  }

  /** Searches for one slice; the rest follows after keys and output had their turn. */
  #goOn(): void {
    const scan = this.#scan;
    clearImmediate(this.#nextSlice);
    if (scan === undefined) return;
    const { nowMs } = this.#parts;
    const endMs = nowMs() + SLICE_MS;
    scan.goOn(() => nowMs() >= endMs);
    if (!scan.isDone) this.#plan(() => this.#goOn());
    if (scan.isDone || nowMs() >= this.#shownMs + PROGRESS_MS) this.#redraw();
    this.#takeFound();
  }

  #plan(step: () => void): void {
    clearImmediate(this.#nextSlice);
    this.#nextSlice = setImmediate(() => !this.#isClosed && step());
  }

  #redraw(): void {
    this.#shownMs = this.#parts.nowMs();
    this.#parts.redraw();
  }

  /** Executes the requests of keys, as far as their matches were found. */
  #takeFound(): void {
    const scan = this.#scan;
    if (scan === undefined) return;
    const newest = scan.matches.at(0);
    if (this.#active === undefined && newest !== undefined) this.#activate(newest);
    this.#takeSteps(scan);
    if (this.#isCopyWanted && this.#wantedSteps === 0 && (this.#active !== undefined || scan.isDone)) this.#copy();
  }

  #takeSteps({ matches, isDone }: Scan): void {
    if (this.#wantedSteps === 0) return;
    const index = this.#active === undefined ? -1 : matches.indexOf(this.#active);
    const wanted = index + this.#wantedSteps;
    if (!isDone && (index < 0 || wanted >= matches.count)) return;
    this.#wantedSteps = 0;
    const chosen = matches.at(Math.min(Math.max(0, wanted), matches.count - 1));
    if (index < 0 || wanted < 0 || wanted >= matches.count) this.#parts.ring();
    if (chosen === undefined || index < 0) return;
    this.#hasMoved = true;
    this.#activate(chosen);
  }

  #move(steps: number): void {
    if (this.#scan === undefined) {
      this.#parts.ring();
      return;
    }
    this.#refresh();
    this.#wantedSteps += steps;
    this.#takeFound();
  }

  #copy(): void {
    const { screen, copy } = this.#parts;
    this.#refresh();
    const scan = this.#scan;
    const isWaiting = scan !== undefined && !scan.isDone && (this.#active === undefined || this.#wantedSteps !== 0);
    if (isWaiting) this.#isCopyWanted = true;
    else if (this.#active === undefined) this.cancel();
    else {
      copy(matchText(screen, this.#active, this.#numbers.pushed));
      this.close();
    }
  }

  #activate(match: Match): void {
    this.#mark(match);
    this.#show(match);
    this.#redraw();
  }

  #mark(match: Match): void {
    const { screen } = this.#parts;
    this.#active = match;
    this.#anchor = anchorAt(screen, { row: match.row - this.#numbers.pushed, column: match.column });
  }

  /** Moves the view only if the match is not visible. */
  #show({ row, endRow }: Match): void {
    const { screen, view } = this.#parts;
    const offset = view.linesAbove - this.#numbers.pushed;
    if (row + offset >= 0 && endRow + offset < screen.rows - 1) return;
    const middle = Math.floor((screen.rows - 1) / 2);
    view.scrollBy(Math.max(0, middle - (row - this.#numbers.pushed)) - view.linesAbove);
  }

  #showOrigin(): void {
    const { screen, view } = this.#parts;
    const place = this.#origin && placeOf(screen, this.#origin);
    // Text that has left the history was the oldest.
    const linesAbove = this.#origin === undefined ? 0 : place === undefined ? screen.historyLines : -place.row;
    view.scrollBy(Math.max(0, linesAbove) - view.linesAbove);
  }

  /** Output arrived, or lines were wrapped again: the view stays at the text that it shows. */
  #follow(linesAbove = 0): void {
    const { view } = this.#parts;
    const before = this.#numbers.pushed;
    if (!this.#numbers.follow()) {
      this.#renumber(linesAbove);
      return;
    }
    const moved = this.#numbers.pushed - before;
    const isHeld = view.linesAbove > 0 || this.#active !== undefined;
    view.scrollBy(isHeld ? moved : 0);
    this.#nextRefresh ??= setTimeout(() => {
      this.#refresh();
      this.#takeFound();
      this.#redraw();
    }, REFRESH_MS);
  }

  /** Searches the present screen. */
  #refresh(): void {
    clearTimeout(this.#nextRefresh);
    this.#nextRefresh = undefined;
    const scan = this.#scan;
    if (scan === undefined) return;
    scan.takeOutput();
    const active = this.#active;
    if (active === undefined || !scan.hasSeen(active.row) || scan.matches.indexOf(active) >= 0) return;
    this.#active = undefined;
    const nearest = scan.matches.nearest(active);
    if (nearest !== undefined) this.#activate(nearest);
  }

  /**
   * Starts again, at the same match if it still exists.
   * @param linesAbove target of the view
   */
  #renumber(linesAbove: number): void {
    const { screen, view } = this.#parts;
    const wasSeen = linesAbove === 0 || this.#isActiveSeen;
    this.#numbers = new RowNumbers(screen);
    const place = this.#active && this.#anchor && placeOf(screen, this.#anchor);
    this.#active = undefined;
    view.scrollBy(linesAbove - view.linesAbove);
    this.#startScan();
    const kept = place && this.#scan?.matchAt(place);
    if (kept === undefined) this.#hasMoved = false;
    else if (wasSeen) this.#activate(kept);
    else this.#mark(kept);
    this.#goOn();
    this.#redraw();
  }

  /** Whether the view, which has not moved yet, showed a part of the active match. */
  get #isActiveSeen(): boolean {
    const { view } = this.#parts;
    const offset = view.linesAbove - this.#numbers.pushed;
    const active = this.#active;
    return active !== undefined && active.endRow + offset >= 0 && active.row + offset < this.#numbers.rows;
  }
}
