/** The search in screen and history. */
export interface SearchPort {
  /** Shows the bar for it, which takes all keys; nothing when it is open already. */
  open(): void;
}
