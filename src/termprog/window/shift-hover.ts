import type { WireEvent } from 'x11';
import { STATE } from '../input/keymap.ts';

/** How long Shift is held alone before a link shows: capital letters are typed faster. */
const HELD_ALONE_MS = 200;

/** Keysyms; X11/keysymdef.h */
const SHIFT_KEYSYMS: ReadonlySet<number> = new Set([0xffe1, 0xffe2]);

export interface PixelPlace {
  x: number;
  y: number;
}

export interface HoverParts {
  /** The keysym of a key's press. */
  keysymOf(event: WireEvent): number;
  /** Motions of the pointer are wanted, or no longer. */
  wantMotions(isWanted: boolean): void;
  /** What is pointed at may have changed. */
  changed(): void;
}

/**
 * Where the pointer points while Shift is held for it: held alone for a moment, or the pointer moves. A key that is pressed
 * meanwhile was what Shift is held for. Without Shift there is neither a timer nor a motion.
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

  /** Undefined while nothing is to be shown. */
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

  /** Shift is up, or its release goes elsewhere. */
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
