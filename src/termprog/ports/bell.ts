export interface BellPort {
  /** Rings, unless it rang a moment ago. */
  ring(): void;
}
