import type { ComposedCharacter, Composition } from '../ports/text-input.ts';
import { type ComposedLook, PLAIN_LOOK } from './feedback.ts';

/** Most characters of a composition; more than any screen shows. */
const CHARACTERS_MAX = 1_024;

/** Text under composition, and its caret, as the server has drawn them so far. */
export class Preedit {
  #characters: readonly ComposedCharacter[] = [];
  #caret = 0;

  get text(): string {
    return this.#characters.map(({ character }) => character).join('');
  }

  /** Position in characters from the beginning. */
  get caret(): number {
    return this.#caret;
  }

  /** Undefined when there is no text. */
  get composition(): Composition | undefined {
    return this.#characters.length === 0 ? undefined : { characters: this.#characters, caret: this.#caret };
  }

  /**
   * Replaces `length` characters from `first` on.
   * @param change.looks of the new characters
   */
  draw(change: { first: number; length: number; text: string; looks: readonly ComposedLook[]; caret: number }): void {
    const first = Math.max(0, Math.min(change.first, this.#characters.length));
    const length = Math.max(0, change.length);
    const drawn = Array.from(change.text, (character, index) => ({
      character,
      ...(change.looks[index] ?? change.looks.at(-1) ?? PLAIN_LOOK),
    }));
    this.#characters = this.#characters.toSpliced(first, length, ...drawn).slice(0, CHARACTERS_MAX);
    this.moveCaret(change.caret);
  }

  /** Changes the look of characters from `first` on. */
  decorate({ first, looks, caret }: { first: number; looks: readonly ComposedLook[]; caret: number }): void {
    this.#characters = this.#characters.map((character, index) => ({ ...character, ...looks[index - first] }));
    this.moveCaret(caret);
  }

  moveCaret(caret: number): void {
    this.#caret = Math.max(0, Math.min(caret, this.#characters.length));
  }

  clear(): void {
    this.#characters = [];
    this.#caret = 0;
  }
}
