/** Takes text that was typed. */
export interface TextTarget {
  takeText(text: string): void;
}

/** The way of text that is not one key's, such as what a compose sequence or an input method makes. */
export interface TextInput {
  /** Hands text to the newest target; without one, to the application as if typed. */
  send(text: string): void;
  /** From now on text goes to `target`; the function that is returned ends that. */
  take(target: TextTarget): () => void;
}
