import { type Area, contains, type MenuLayout, type PlacedEntry, type PlacedRow, trackOf } from './menu-layout.ts';
import type { MenuTargets } from './menu-targets.ts';

/** Buttons from this one on belong to a wheel. */
const WHEEL_FIRST = 4;

/** Largest pointer motion of a still hand, in pixels. */
const STILL_PIXELS = 2;

/** A pointer that only passes over a slider moves less than this to the side, in pixels. */
const SLIDE_PIXELS = 8;

interface Place {
  x: number;
  y: number;
}

/** The effect of a button's release. */
export type Outcome = { kind: 'none' } | { kind: 'cancel' } | { kind: 'choose'; row: PlacedEntry };

/** Follows the pointer in a menu: it finds the entry under it, and interprets pressing, dragging and releasing. */
export class MenuPointer {
  readonly #layout: MenuLayout;
  readonly #targets: MenuTargets;
  /** The pointer's place on the screen when the menu appeared; undefined once it has moved. */
  #start: Place | undefined;
  /** Place where the pointer entered its present slider. */
  #entered: { row: PlacedEntry; x: number } | undefined;
  /** The slider that follows the pointer. */
  #sliding: PlacedEntry | undefined;
  #isPressed: boolean;

  /** @param isPressed whether a button is held, whose release ends the menu */
  constructor(layout: MenuLayout, targets: MenuTargets, start: Place | undefined, isPressed: boolean) {
    this.#layout = layout;
    this.#targets = targets;
    this.#start = start;
    this.#isPressed = isPressed;
  }

  /** Returns the entry at a place of the window that can be chosen now. */
  entryAt(place: Place): PlacedEntry | undefined {
    return this.#layout.rows.find((row): row is PlacedEntry => this.#isChoosable(row) && contains(row.area, place));
  }

  /** @returns the entry under the pointer */
  move(place: Place, onScreen: Place): PlacedEntry | undefined {
    const { x, y } = this.#start ?? onScreen;
    if (Math.abs(onScreen.x - x) > STILL_PIXELS || Math.abs(onScreen.y - y) > STILL_PIXELS) this.#start = undefined;
    if (this.#sliding !== undefined) {
      this.#slide(this.#sliding, place);
      return this.#sliding;
    }
    const row = this.entryAt(place);
    if (row?.look.entry.kind !== 'slider') this.#entered = undefined;
    else if (this.#entered?.row !== row) this.#entered = { row, x: place.x };
    else if (this.#isPressed && Math.abs(place.x - this.#entered.x) >= SLIDE_PIXELS) {
      this.#sliding = row;
      this.#slide(row, place);
    }
    return row;
  }

  press(button: number, place: Place): void {
    if (button >= WHEEL_FIRST) return;
    this.#isPressed = true;
    this.#start = undefined;
    const row = this.entryAt(place);
    if (row?.look.entry.kind !== 'slider') return;
    this.#sliding = row;
    this.#slide(row, place);
  }

  release(button: number, place: Place): Outcome {
    if (button >= WHEEL_FIRST || !this.#isPressed) return { kind: 'none' };
    // A click that only shows the menu must not choose the entry that appears under the pointer.
    if (this.#start !== undefined) return { kind: 'cancel' };
    const row = this.#sliding ?? this.entryAt(place);
    if (row === undefined) return { kind: 'cancel' };
    if (row.look.entry.kind === 'slider') this.#slide(row, place);
    return { kind: 'choose', row };
  }

  #isChoosable(row: PlacedRow): boolean {
    return row.kind === 'entry' && row.look.entry.isSensitive(this.#targets);
  }

  #slide(row: PlacedEntry, { x }: Place): void {
    row.look.entry.slide?.(this.#targets, shareOf(trackOf(row), x));
  }
}

/** Returns the share of a track up to a place, from 0 to 1. */
function shareOf(track: Area, x: number): number {
  return Math.min(1, Math.max(0, (x - track.x) / Math.max(1, track.width - 1)));
}
