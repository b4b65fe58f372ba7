/** What was decided about fonts. */
export interface FontRoutingPort {
  /** Writes it to the standard error stream; says so when nothing was collected because nobody asked for it. */
  report(): void;
}
