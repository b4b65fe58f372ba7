/** Which part of history and screen the window shows. */
export interface ViewPort {
  /** Of the screen. */
  readonly rows: number;
  readonly columns: number;
  /** Moves towards older lines, or newer ones when negative; it stops at either end. */
  scrollBy(lines: number): void;
}
