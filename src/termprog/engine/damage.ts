/** Rows that moved together: those from `top` to `bottom`, both included, by `lines`, upwards when positive. */
export interface Scroll {
  top: number;
  bottom: number;
  lines: number;
}

/**
 * The changes of the live screen. To show them, do the scrolls in order, then draw the marked rows; every other row is
 * unchanged, or was only moved by the scrolls.
 */
export interface Damage {
  readonly scrolls: readonly Scroll[];
  /** 1 for each row that may have changed; rows are numbered as after the scrolls. */
  readonly rows: Uint8Array;
  /** Whether numbers of clusters or extras were reused: equal words may now mean different things. */
  readonly isRenumbered: boolean;
}
