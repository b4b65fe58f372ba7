/** A cell of the view. */
export interface TypingPlace {
  row: number;
  column: number;
}

/** Receives typed text. */
export interface TypingTarget {
  takeText(text: string): void;
  /** Returns the place of its next text. */
  place(): TypingPlace;
}

/** Routes text that does not come from a single key, such as that of a compose sequence or an input method. */
export interface TextInput {
  /** Sends text to the newest target; without a target, to the application as if typed. */
  send(text: string): void;
  /** Routes text to `target` from now on; the returned function ends that. */
  take(target: TypingTarget): () => void;
  /** Returns the place of the newest target's next text; undefined if the application receives it. */
  place(): TypingPlace | undefined;
}

/** A character under composition, and the bits of its cell's words for its look. */
export interface ComposedCharacter {
  character: string;
  foreground: number;
  background: number;
}

/** Text that an input method composes and has not committed yet. */
export interface Composition {
  characters: readonly ComposedCharacter[];
  /** Characters before the caret. */
  caret: number;
}
