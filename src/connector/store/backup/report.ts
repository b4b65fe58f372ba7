/** Progress of a backup or a restore, as a person sees it. */
export interface LongWork {
  /** Prints one line. */
  say(line: string): void;
  /** Begins a step; `total` is its size in the unit that `advance` counts in. */
  begin(step: string, total: number): void;
  /** Adds to the progress of the step. */
  advance(done: number): void;
}
