/** Rows that moved together: those from `top` to `bottom`, both included, by `lines`, upwards when positive. */
export interface Scroll {
  top: number;
  bottom: number;
  lines: number;
}

/**
 * What changed on the live screen. To show it, do the scrolls in order, then draw the marked rows; every other row is
 * unchanged, or was only moved by the scrolls.
 */
export interface Damage {
  readonly scrolls: readonly Scroll[];
  /** Row -> 1 where the row may have changed; numbered as after the scrolls. */
  readonly rows: Uint8Array;
  /** Numbers of clusters or extras were reused: equal words may mean something else now. */
  readonly isRenumbered: boolean;
}
