/** A press of a button. */
export interface Click {
  button: number;
  /** Server time in milliseconds. */
  time: number;
  row: number;
  column: number;
}

/** Columns that the pointer may move during a multiple click; a drag is not a click. */
const NEAR_COLUMNS = 1;

/** Server times wrap at 32 bits. */
const passed = (from: number, to: number): number => (to - from) >>> 0;

/** Counts successive clicks: the time from a button's release to its next press decides. */
export class ClickCounter {
  #last: Click | undefined;
  #releaseTime: number | undefined;
  #count = 0;

  /** Returns the number of successive clicks including this one. */
  press(click: Click, multiClickTimeMs: number): number {
    const last = this.#last;
    const follows =
      last !== undefined &&
      this.#releaseTime !== undefined &&
      click.button === last.button &&
      isNear(click, last) &&
      passed(this.#releaseTime, click.time) <= multiClickTimeMs;
    this.#count = follows ? this.#count + 1 : 1;
    this.#last = click;
    this.#releaseTime = undefined;
    return this.#count;
  }

  release(release: Omit<Click, 'button'>): void {
    const isClick = this.#last !== undefined && isNear(release, this.#last);
    this.#releaseTime = isClick ? release.time : undefined;
  }
}

function isNear(one: Pick<Click, 'row' | 'column'>, other: Pick<Click, 'row' | 'column'>): boolean {
  return one.row === other.row && Math.abs(one.column - other.column) <= NEAR_COLUMNS;
}
