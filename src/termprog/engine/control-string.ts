import { CONTROL_STRING_MAX_CHARACTERS } from './limits.ts';

/** Most arguments that are given to a function at once. */
const CHARACTERS_AT_ONCE = 4_096;

export interface StringBounds {
  keptCharacters?: number;
  maxCharacters?: number;
}

/** Collects the text of a control string up to a bound. */
export class ControlString {
  #parts: string[] = [];
  #characters = 0;
  #kept = 0;
  #mayBeCut = false;

  /**
   * @param keptCharacters longer texts are cut here
   * @param maxCharacters longer texts are dropped
   */
  start({ keptCharacters, maxCharacters = CONTROL_STRING_MAX_CHARACTERS }: StringBounds): void {
    this.#parts = [];
    this.#characters = 0;
    this.#mayBeCut = keptCharacters !== undefined;
    this.#kept = keptCharacters ?? maxCharacters;
  }

  put(data: Uint32Array, start: number, end: number): void {
    const room = this.#kept - this.#characters;
    this.#characters += end - start;
    if (room <= 0) return;
    const last = Math.min(end, start + room);
    for (let at = start; at < last; at += CHARACTERS_AT_ONCE) {
      this.#parts.push(String.fromCodePoint(...data.subarray(at, Math.min(last, at + CHARACTERS_AT_ONCE))));
    }
  }

  /** The text; undefined when it was too long. What was collected is forgotten. */
  take(): string | undefined {
    const text = this.#parts.join('');
    this.#parts = [];
    return this.#characters > this.#kept && !this.#mayBeCut ? undefined : text;
  }
}
