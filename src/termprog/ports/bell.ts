export interface BellPort {
  /** Rings, unless the bell has just rung. */
  ring(): void;
}
