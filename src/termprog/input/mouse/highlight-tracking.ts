import type { HighlightRequest } from '../../engine/engine-host.ts';
import type { Place } from './encodings.ts';

/** From the first place to the one before the second, over the ends of rows. */
export interface HighlightedText {
  start: Place;
  end: Place;
}

export interface HighlightParts {
  columns(): number;
  rows(): number;
  /** The column behind the last character of a row. */
  textEnd(row: number): number;
  /** Tells the application what was highlighted: one place when the pointer is at its end, else three. */
  report(final: 't' | 'T', places: readonly Place[]): void;
  /** Other text is highlighted. */
  changed(): void;
}

type State =
  | { kind: 'idle' }
  /** The press was reported; the application has not answered. What came since waits. */
  | { kind: 'waiting'; pointer?: Place; released?: { reportRelease(): void } }
  | { kind: 'tracking'; request: HighlightRequest; pointer: Place };

/** Mode 1001: the application answers each press of the first button with what may be highlighted until the release. */
export class HighlightTracking {
  readonly #parts: HighlightParts;
  #state: State = { kind: 'idle' };

  constructor(parts: HighlightParts) {
    this.#parts = parts;
  }

  /** What is highlighted; undefined for nothing. */
  get text(): HighlightedText | undefined {
    if (this.#state.kind !== 'tracking') return undefined;
    const { request, pointer } = this.#state;
    const origin = this.#onText({ x: request.column, y: request.row });
    const end = this.#onText(pointer);
    return isBefore(end, origin) ? { start: end, end: origin } : { start: origin, end };
  }

  /** The press has been reported. An application that has not answered the one before gets that one's release. */
  begin(): void {
    this.#reportHeldRelease();
    this.#changeTo({ kind: 'waiting' });
  }

  /** The application answers; undefined for nothing to highlight. */
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

  /** @param pointer its cell, which may be outside of the text */
  moveTo(pointer: Place): void {
    const state = this.#state;
    if (state.kind === 'waiting') state.pointer = pointer;
    else if (state.kind === 'tracking') this.#changeTo({ ...state, pointer: this.#within(pointer, state.request) });
  }

  /** @param reportRelease as without highlighting; called unless something is highlighted */
  release(pointer: Place, reportRelease: () => void): void {
    this.moveTo(pointer);
    if (this.#state.kind === 'waiting') this.#state.released = { reportRelease };
    else if (this.#state.kind === 'tracking') this.#end();
    else reportRelease();
  }

  /** The application wants no highlighting any more. */
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
    // Where the rows are the wrong way round the first one counts, as in xterm.
    const row = y < firstRow ? firstRow : Math.min(y, Math.max(lastRow, 0));
    return { x: between(0, x, this.#parts.columns()), y: row };
  }

  /** Behind the end of a row is the beginning of the next, as in xterm. */
  #onText({ x, y }: Place): Place {
    const isBehind = x > this.#parts.textEnd(y) && y < this.#parts.rows() - 1;
    return isBehind ? { x: 0, y: y + 1 } : { x, y };
  }
}

const between = (least: number, value: number, most: number): number => Math.min(Math.max(value, least), most);
const isSame = (one: Place, other: Place): boolean => one.x === other.x && one.y === other.y;
const isBefore = (one: Place, other: Place): boolean => one.y < other.y || (one.y === other.y && one.x < other.x);
