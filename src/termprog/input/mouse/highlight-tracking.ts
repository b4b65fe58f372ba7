import type { HighlightRequest } from '../../engine/engine-host.ts';
import type { Place } from './report-encodings.ts';

/** Text from the first place to the one before the second, across the ends of rows. */
export interface HighlightedText {
  start: Place;
  end: Place;
}

export interface HighlightParts {
  columns(): number;
  rows(): number;
  /** Returns the column after the last character of a row. */
  textEnd(row: number): number;
  /** Reports the highlighted text to the application: one place when the pointer is at its end, otherwise three. */
  report(final: 't' | 'T', places: readonly Place[]): void;
  /** The highlighted text has changed. */
  changed(): void;
}

type State =
  | { kind: 'idle' }
  /** The press was reported, and the application has not answered. Later events wait. */
  | { kind: 'waiting'; pointer?: Place; released?: { reportRelease(): void } }
  | { kind: 'tracking'; request: HighlightRequest; pointer: Place };

/**
 * Highlight tracking, mode 1001: the application answers each press of the first button with the area that may be
 * highlighted until the release.
 */
export class HighlightTracking {
  readonly #parts: HighlightParts;
  #state: State = { kind: 'idle' };

  constructor(parts: HighlightParts) {
    this.#parts = parts;
  }

  /** The highlighted text; undefined if there is none. */
  get text(): HighlightedText | undefined {
    if (this.#state.kind !== 'tracking') return undefined;
    const { request, pointer } = this.#state;
    const origin = this.#onText({ x: request.column, y: request.row });
    const end = this.#onText(pointer);
    return isBefore(end, origin) ? { start: end, end: origin } : { start: origin, end };
  }

  /**
   * Starts tracking after a reported press. If the application has not answered the previous press, that one's release
   * is reported now.
   */
  begin(): void {
    this.#reportHeldRelease();
    this.#changeTo({ kind: 'waiting' });
  }

  /** Handles the application's answer; undefined means that no text may be highlighted. */
  take(request: HighlightRequest | undefined): void {
    const state = this.#state;
    if (state.kind !== 'waiting') return;
    if (request === undefined) {
      this.#reportHeldRelease();
      this.#changeTo({ kind: 'idle' });
      return;
    }
    const bounded = this.#bounded(request);
    this.#changeTo({ kind: 'tracking', request: bounded, pointer: { x: bounded.column, y: bounded.row } });
    if (state.pointer !== undefined) this.moveTo(state.pointer);
    if (state.released !== undefined) this.#end();
  }

  /** @param pointer the pointer's cell, which may be outside the text */
  moveTo(pointer: Place): void {
    const state = this.#state;
    if (state.kind === 'waiting') state.pointer = pointer;
    else if (state.kind === 'tracking') this.#changeTo({ ...state, pointer: this.#within(pointer, state.request) });
  }

  /** @param reportRelease reports the release as without highlighting; called unless text is highlighted */
  release(pointer: Place, reportRelease: () => void): void {
    this.moveTo(pointer);
    if (this.#state.kind === 'waiting') this.#state.released = { reportRelease };
    else if (this.#state.kind === 'tracking') this.#end();
    else reportRelease();
  }

  /** Ends highlighting because the application has switched it off. */
  cancel(): void {
    if (this.#state.kind !== 'idle') this.#changeTo({ kind: 'idle' });
  }

  #end(): void {
    const { text } = this;
    if (this.#state.kind !== 'tracking' || text === undefined) return;
    const { request, pointer } = this.#state;
    const { start, end } = text;
    const isDirect = isSame(start, { x: request.column, y: request.row }) && isSame(end, pointer);
    if (isDirect) this.#parts.report('t', [end]);
    else this.#parts.report('T', [start, end, pointer]);
    this.#changeTo({ kind: 'idle' });
  }

  #reportHeldRelease(): void {
    if (this.#state.kind === 'waiting') this.#state.released?.reportRelease();
  }

  #changeTo(state: State): void {
    const isShown = this.#state.kind === 'tracking' || state.kind === 'tracking';
    this.#state = state;
    if (isShown) this.#parts.changed();
  }

  #bounded({ column, row, firstRow, lastRow }: HighlightRequest): HighlightRequest {
    const last = this.#parts.rows() - 1;
    return {
      column: between(0, column, this.#parts.columns()),
      row: between(0, row, last),
      firstRow: between(0, firstRow, last),
      lastRow: between(0, lastRow, last),
    };
  }

  #within({ x, y }: Place, { firstRow, lastRow }: HighlightRequest): Place {
    // If the rows are in the wrong order, the first one wins, as in xterm.
    const row = y < firstRow ? firstRow : Math.min(y, Math.max(lastRow, 0));
    return { x: between(0, x, this.#parts.columns()), y: row };
  }

  /** A place after the end of a row is the beginning of the next row, as in xterm. */
  #onText({ x, y }: Place): Place {
    const isBehind = x > this.#parts.textEnd(y) && y < this.#parts.rows() - 1;
    return isBehind ? { x: 0, y: y + 1 } : { x, y };
  }
}

const between = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most);
const isSame = (one: Place, other: Place): boolean => one.x === other.x && one.y === other.y;
const isBefore = (one: Place, other: Place): boolean => one.y < other.y || (one.y === other.y && one.x < other.x);
