import type { PointerUse } from './scrollbar-cursors.ts';

/** An action with its parameters, as a translation of the scrollbar names it. */
export interface ScrollbarCall {
  action: string;
  parameters: readonly string[];
}

export interface ScrollbarActionParts {
  /** Height of the scrollbar in pixels. */
  length(): number;
  /** Height of a line in pixels. */
  lineHeight(): number;
  /** Scrolls to older lines, or newer ones if negative. */
  scrollBy(lines: number): void;
  /** Scrolls so that this share of history and screen, from 0 to 1, is above the view. */
  scrollTo(share: number): void;
  showUse(use: PointerUse): void;
}

type Direction = Exclude<PointerUse, 'inactive'>;

/** First letter of the parameter → direction. */
const DIRECTIONS: Readonly<Record<string, Direction>> = { f: 'forward', b: 'backward', c: 'jumping' };

const letterOf = (parameter: string | undefined, fallback: string): string =>
  (parameter ?? fallback).charAt(0).toLowerCase();

/** The actions of the widget; Athena Widget Set 3.8. The others have an effect between StartScroll and EndScroll. */
export class ScrollbarActions {
  readonly #parts: ScrollbarActionParts;
  #direction: Direction | undefined;
  /** Position to which the thumb was moved, as a share of the length. */
  #share = 0;

  constructor(parts: ScrollbarActionParts) {
    this.#parts = parts;
  }

  /** @param y of the pointer, in pixels from the top of the scrollbar; it may be outside */
  run({ action, parameters: [parameter] }: ScrollbarCall, y: number): void {
    switch (action) {
      case 'StartScroll':
        this.#start(letterOf(parameter, 'Continuous'));
        break;
      case 'MoveThumb':
        if (this.#direction !== undefined) this.#share = this.#pixels(y) / Math.max(1, this.#parts.length());
        break;
      case 'NotifyThumb':
        if (this.#direction !== undefined) this.#parts.scrollTo(this.#share);
        break;
      case 'NotifyScroll':
        this.#scroll(letterOf(parameter, 'Proportional') === 'f' ? this.#parts.length() : this.#pixels(y));
        break;
      case 'EndScroll':
        this.end();
        break;
    }
  }

  /** Ends scrolling until the next start. */
  end(): void {
    if (this.#direction !== undefined) this.#parts.showUse('inactive');
    this.#direction = undefined;
  }

  /** Whether the widget has an action of that name. */
  static has(name: string): boolean {
    return ['StartScroll', 'MoveThumb', 'NotifyThumb', 'NotifyScroll', 'EndScroll'].includes(name);
  }

  #start(letter: string): void {
    const direction = DIRECTIONS[letter];
    if (this.#direction !== undefined || direction === undefined) return;
    this.#direction = direction;
    this.#parts.showUse(direction);
  }

  /** Scrolls by the number of lines above the pointer, at least one. */
  #scroll(pixels: number): void {
    if (this.#direction === undefined || this.#direction === 'jumping' || pixels === 0) return;
    const lines = Math.max(1, Math.trunc(pixels / this.#parts.lineHeight()));
    this.#parts.scrollBy(this.#direction === 'backward' ? lines : -lines);
  }

  #pixels(y: number): number {
    return Math.min(Math.max(0, y), this.#parts.length());
  }
}
