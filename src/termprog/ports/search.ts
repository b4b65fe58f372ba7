/** The search in screen and history. */
export interface SearchPort {
  /** Opens the search bar, which takes all keys; has no effect when it is open. */
  open(): void;
}
