/** A cell of the view. */
export interface TextPlace {
  row: number;
  column: number;
}

/** Takes text that was typed. */
export interface TextTarget {
  takeText(text: string): void;
  /** Where its next text will stand. */
  place(): TextPlace;
}

/** The way of text that is not one key's, such as what a compose sequence or an input method makes. */
export interface TextInput {
  /** Hands text to the newest target; without one, to the application as if typed. */
  send(text: string): void;
  /** From now on text goes to `target`; the function that is returned ends that. */
  take(target: TextTarget): () => void;
  /** Where the next text of the newest target will stand; undefined where the application takes it. */
  place(): TextPlace | undefined;
}

/** A character that is being composed, and bits of its cell's words that say how it looks. */
export interface ComposedCharacter {
  character: string;
  foreground: number;
  background: number;
}

/** Text that an input method composes and has not given yet. */
export interface Composition {
  characters: readonly ComposedCharacter[];
  /** Characters before the caret. */
  caret: number;
}
