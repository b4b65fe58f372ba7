import type { WireEvent } from 'x11';
import { STATE } from '../../input/keymap.ts';

/** Time that Shift must be held alone before a link shows: capital letters are typed faster. */
const HELD_ALONE_MS = 200;

/** Keysyms; X11/keysymdef.h */
const SHIFT_KEYSYMS: ReadonlySet<number> = new Set([0xffe1, 0xffe2]);

export interface PixelPlace {
  x: number;
  y: number;
}

export interface HoverParts {
  /** Starts or stops pointer motion events. */
  keysymOf(event: WireEvent): number;
  /** Motions of the pointer are wanted, or no longer. */
  wantMotions(isWanted: boolean): void;
  /** The hovered place may have changed. */
  changed(): void;
}

/**
 * The pointer's place while Shift is held to point at links: after it was held alone for a moment, or when the pointer
 * moves. Another key pressed meanwhile means that Shift is held for that key. Without Shift there is neither a timer
 * nor motion events.
 */
export class ShiftHover {
  readonly #parts: HoverParts;
  readonly #held = new Set<number>();
  #pointer: PixelPlace | undefined;
  #isShown = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: HoverParts) {
    this.#parts = parts;
  }

  /** The hovered pixel of the window; undefined while no link should show. */
  get place(): PixelPlace | undefined {
    return this.#isShown ? this.#pointer : undefined;
  }

  press(event: WireEvent): void {
    if (!SHIFT_KEYSYMS.has(this.#parts.keysymOf(event))) {
      this.#hide();
      return;
    }
    const isFirst = this.#held.size === 0;
    this.#held.add(event.keycode);
    this.#pointer = { x: event.x, y: event.y };
    if (!isFirst) return;
    this.#parts.wantMotions(true);
    this.#timer = setTimeout(() => this.#show(), HELD_ALONE_MS);
  }

  release({ keycode }: Pick<WireEvent, 'keycode'>): void {
    if (this.#held.delete(keycode) && this.#held.size === 0) this.end();
  }

  move(event: WireEvent): void {
    if (this.#held.size === 0) return;
    if ((event.buttons & STATE.shift) === 0) {
      this.end();
      return;
    }
    this.#pointer = { x: event.x, y: event.y };
    this.#show();
  }

  /** The pointer has left the window. */
  leave(): void {
    this.#pointer = undefined;
    this.#hide();
  }

  /** Shift is up, or its release goes to another window. */
  end(): void {
    if (this.#held.size === 0 && !this.#isShown) return;
    this.#held.clear();
    this.#hide();
    this.#parts.wantMotions(false);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#isShown = true;
    this.#parts.changed();
  }

  #hide(): void {
    clearTimeout(this.#timer);
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#parts.changed();
  }
}
