import type { Damage, Scroll } from './damage.ts';

/**
 * The most scrolls that are recorded one by one; if there are more between two frames, the whole screen counts as
 * changed.
 */
const SCROLLS_MAX = 64;

class TakenDamage implements Damage {
  scrolls: Scroll[] = [];
  rows: Uint8Array;
  isRenumbered = false;

  constructor(rows: number) {
    this.rows = new Uint8Array(rows).fill(1);
  }

  clear(rows: number): void {
    this.scrolls.length = 0;
    this.isRenumbered = false;
    if (this.rows.length === rows) this.rows.fill(0);
    else this.rows = new Uint8Array(rows);
  }
}

/** Records changes of the screen until they are shown. */
export class DamageTracker {
  /** Rows that functions have changed as a whole; each row counts as often as it was changed. */
  changedRows = 0;
  #now: TakenDamage;
  #taken: TakenDamage;

  constructor(rows: number) {
    this.#now = new TakenDamage(rows);
    this.#taken = new TakenDamage(rows);
  }

  mark(row: number): void {
    this.#now.rows[row] = 1;
  }

  /** Marks the rows from `first` to `last`, both included. */
  markRows(first: number, last: number): void {
    this.#now.rows.fill(1, first, last + 1);
    this.changedRows += Math.max(0, last - first + 1);
  }

  markAll(): void {
    const { rows, scrolls } = this.#now;
    rows.fill(1);
    scrolls.length = 0;
    this.changedRows += rows.length;
  }

  markRenumbered(): void {
    this.#now.isRenumbered = true;
  }

  resize(rows: number): void {
    const { isRenumbered } = this.#now;
    this.#now = new TakenDamage(rows);
    this.#now.isRenumbered = isRenumbered;
  }

  /** Records that rows from `top` to `bottom` moved up by `lines`, or down if negative, and marks the new rows. */
  scroll(top: number, bottom: number, lines: number): void {
    const { rows, scrolls } = this.#now;
    // A line feed's row does not count: it is by far the most frequent change, and has its own work.
    if (Math.abs(lines) > 1) this.changedRows += Math.abs(lines);
    const height = bottom - top + 1;
    // V8 calls its runtime for `at(-1)`, and this runs for each line of a flood.
    const last = scrolls.length > 0 ? scrolls[scrolls.length - 1] : undefined;
    const isSame = last !== undefined && last.top === top && last.bottom === bottom && last.lines > 0 === lines > 0;
    // The whole region is marked already, including the new rows.
    if (isSame && Math.abs(last.lines) >= height) return;
    if (isSame) last.lines += lines;
    else if (scrolls.length < SCROLLS_MAX) scrolls.push({ top, bottom, lines });
    else {
      this.markAll();
      return;
    }
    if (Math.abs(lines) >= height || (isSame && Math.abs(last.lines) >= height)) rows.fill(1, top, bottom + 1);
    else if (lines > 0) {
      rows.copyWithin(top, top + lines, bottom + 1);
      rows.fill(1, bottom + 1 - lines, bottom + 1);
    } else {
      rows.copyWithin(top - lines, top, bottom + 1 + lines);
      rows.fill(1, top, top - lines);
    }
  }

  take(): Damage {
    const { length } = this.#now.rows;
    [this.#now, this.#taken] = [this.#taken, this.#now];
    this.#now.clear(length);
    return this.#taken;
  }
}
