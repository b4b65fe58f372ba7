/** The visible part of history and screen. */
export interface ViewPort {
  /** Rows of the screen. */
  readonly rows: number;
  readonly columns: number;
  /** Scrolls to older lines, or newer ones if negative; it stops at either end. */
  scrollBy(lines: number): void;
}
