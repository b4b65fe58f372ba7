import type { PointedLink } from './link-at.ts';

/** Where the pointer is, and when. */
export interface PointerPlace {
  row: number;
  column: number;
  /** The server's time, in milliseconds. */
  time: number;
}

/** Times of the server are numbers of 32 bits that start again. */
const elapsed = (from: number, to: number): number => (to - from) >>> 0;

/**
 * A link on which a button is held. It is opened when the button is released in the same cell, over the same link: who
 * moves on selects text instead. The further clicks of a multiple click open nothing.
 */
export class ArmedLink {
  readonly #multiClickMs: () => number;
  #armed: { link: PointedLink; place: PointerPlace; button: number } | undefined;
  #last: PointerPlace | undefined;

  constructor(multiClickMs: () => number) {
    this.#multiClickMs = () => multiClickMs();
  }

  get isArmed(): boolean {
    return this.#armed !== undefined;
  }

  press(link: PointedLink | undefined, place: PointerPlace, button: number): void {
    const last = this.#last;
    this.#last = place;
    const isRepeated =
      last !== undefined && isSameCell(last, place) && elapsed(last.time, place.time) <= this.#multiClickMs();
    this.#armed = link === undefined || isRepeated ? undefined : { link, place, button };
  }

  /** Another press comes: what was pressed before it is not opened. */
  disarm(): void {
    this.#armed = undefined;
  }

  move(place: PointerPlace): void {
    if (this.#armed !== undefined && !isSameCell(this.#armed.place, place)) this.#armed = undefined;
  }

  /** The link to open now. @param linkNow what is under the pointer, where output may have changed it */
  release(place: PointerPlace, button: number, linkNow: () => PointedLink | undefined): PointedLink | undefined {
    const armed = this.#armed;
    if (armed === undefined || armed.button !== button) return undefined;
    this.#armed = undefined;
    if (!isSameCell(armed.place, place)) return undefined;
    const now = linkNow();
    return now?.address === armed.link.address && now.name === armed.link.name ? armed.link : undefined;
  }
}

const isSameCell = (one: PointerPlace, other: PointerPlace): boolean =>
  one.row === other.row && one.column === other.column;
