import type { PointedLink } from './link-at.ts';

/** The pointer's cell and time. */
export interface PointerPlace {
  row: number;
  column: number;
  /** Server time in milliseconds. */
  time: number;
}

/** Server times wrap at 32 bits. */
const elapsed = (from: number, to: number): number => (to - from) >>> 0;

/**
 * A link on which a button is held. It opens when the button is released in the same cell, over the same link: a
 * pointer that moves on selects text instead. Further clicks of a multiple click do not open it.
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

  /** Another press follows: the link of the earlier press is not opened. */
  disarm(): void {
    this.#armed = undefined;
  }

  move(place: PointerPlace): void {
    if (this.#armed !== undefined && !isSameCell(this.#armed.place, place)) this.#armed = undefined;
  }

  /**
   * Returns the link to open now.
   * @param linkNow returns the link under the pointer, which output may have changed
   */
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
