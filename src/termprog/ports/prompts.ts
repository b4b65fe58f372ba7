/** Moves between the prompts that the shell has marked. */
export interface PromptPort {
  /** Shows the count-th prompt above the view, or the last one there is; rings the bell when there is none. */
  showPrevious(count: number): void;
  /** Shows the count-th prompt below the first row of the view, in the same way. */
  showNext(count: number): void;
}
