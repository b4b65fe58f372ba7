/** The recorded decisions about fonts. */
export interface FontRoutingPort {
  /** Writes the decisions to the standard error stream, or that they were not collected. */
  report(): void;
}
