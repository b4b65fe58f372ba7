/** A press of a button. */
export interface Click {
  button: number;
  /** Of the server, in milliseconds. */
  time: number;
  row: number;
  column: number;
}

/** Cells that the pointer may move between the clicks of a multiple click. */
const NEAR_CELLS = 1;

/** Server times have 32 bits. */
const passed = (from: number, to: number): number => (to - from) >>> 0;

/** Counts clicks that follow each other: the time from a button's release to its next press decides. */
export class ClickCounter {
  #last: Click | undefined;
  #releaseTime: number | undefined;
  #count = 0;

  /** The number of clicks up to this one, from 1. */
  press(click: Click, multiClickTimeMs: number): number {
    const last = this.#last;
    const follows =
      last !== undefined &&
      this.#releaseTime !== undefined &&
      click.button === last.button &&
      Math.abs(click.row - last.row) <= NEAR_CELLS &&
      Math.abs(click.column - last.column) <= NEAR_CELLS &&
      passed(this.#releaseTime, click.time) <= multiClickTimeMs;
    this.#count = follows ? this.#count + 1 : 1;
    this.#last = click;
    this.#releaseTime = undefined;
    return this.#count;
  }

  release(time: number): void {
    this.#releaseTime = time;
  }
}
