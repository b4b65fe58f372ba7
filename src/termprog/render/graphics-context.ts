import type { RequestBuffer } from './request-buffer.ts';

/** Request codes; X11 protocol, appendix B. */
const CREATE_GC = 55;
const CHANGE_GC = 56;
const FREE_GC = 60;

/** Bits of the value mask, in the order of the values. */
const FOREGROUND = 1 << 2;
const BACKGROUND = 1 << 3;
const FILL_STYLE = 1 << 8;
const STIPPLE = 1 << 11;
const ORIGIN_X = 1 << 12;
const ORIGIN_Y = 1 << 13;
const FONT = 1 << 14;

const UNKNOWN = -1;
const OPAQUE_STIPPLED = 3;

/**
 * A graphics context of the server. It caches the context's values, so that one request changes only those that differ.
 */
export class GraphicsContext {
  readonly id: number;
  readonly #requests: RequestBuffer;
  readonly #drawable: number;
  #foreground = UNKNOWN;
  #background = UNKNOWN;
  #font = UNKNOWN;
  #stipple = UNKNOWN;

  constructor(requests: RequestBuffer, id: number, drawable: number) {
    this.id = id;
    this.#requests = requests;
    this.#drawable = drawable;
    this.#create();
  }

  /** Creates the context again: the server may have refused to create it, or to change its values. */
  renew(): void {
    this.free();
    this.#create();
    this.#foreground = UNKNOWN;
    this.#background = UNKNOWN;
    this.#font = UNKNOWN;
    this.#stipple = UNKNOWN;
  }

  free(): void {
    const at = this.#requests.reserve(2);
    this.#requests.words[at] = FREE_GC | (2 << 16);
    this.#requests.words[at + 1] = this.id;
  }

  setForeground(pixel: number): void {
    if (pixel === this.#foreground) return;
    this.#foreground = pixel;
    const at = this.#change(1, FOREGROUND);
    this.#requests.words[at] = pixel;
  }

  setText(foreground: number, background: number, font: number): void {
    const mask =
      (foreground === this.#foreground ? 0 : FOREGROUND) |
      (background === this.#background ? 0 : BACKGROUND) |
      (font === this.#font ? 0 : FONT);
    if (mask === 0) return;
    const { words } = this.#requests;
    let at = this.#change((mask & FOREGROUND ? 1 : 0) + (mask & BACKGROUND ? 1 : 0) + (mask & FONT ? 1 : 0), mask);
    if ((mask & FOREGROUND) !== 0) words[at++] = foreground;
    if ((mask & BACKGROUND) !== 0) words[at++] = background;
    if ((mask & FONT) !== 0) words[at] = font;
    this.#foreground = foreground;
    this.#background = background;
    this.#font = font;
  }

  setStipple(foreground: number, background: number, stipple: number): void {
    const isSame = foreground === this.#foreground && background === this.#background && stipple === this.#stipple;
    if (isSame) return;
    const { words } = this.#requests;
    const at = this.#change(4, FOREGROUND | BACKGROUND | FILL_STYLE | STIPPLE);
    words[at] = foreground;
    words[at + 1] = background;
    words[at + 2] = OPAQUE_STIPPLED;
    words[at + 3] = stipple;
    this.#foreground = foreground;
    this.#background = background;
    this.#stipple = stipple;
  }

  #create(): void {
    const { words } = this.#requests;
    const at = this.#requests.reserve(4);
    words[at] = CREATE_GC | (4 << 16);
    words[at + 1] = this.id;
    words[at + 2] = this.#drawable;
    words[at + 3] = 0;
  }

  /** Sets the position of a stipple's top left pixel, from which it repeats. */
  setStippleOrigin(x: number, y: number): void {
    const at = this.#change(2, ORIGIN_X | ORIGIN_Y);
    this.#requests.words[at] = x;
    this.#requests.words[at + 1] = y;
  }

  /** Starts a request and returns the index of its first value. */
  #change(values: number, mask: number): number {
    const { words } = this.#requests;
    const at = this.#requests.reserve(3 + values);
    words[at] = CHANGE_GC | ((3 + values) << 16);
    words[at + 1] = this.id;
    words[at + 2] = mask;
    return at + 3;
  }
}
