/** Moves between the prompts that the shell has marked. */
export interface PromptPort {
  /** Shows the count-th prompt above the view, or the farthest one; rings the bell if there is none. */
  showPrevious(count: number): void;
  /** Shows the count-th prompt below the first row of the view, in the same way. */
  showNext(count: number): void;
}
