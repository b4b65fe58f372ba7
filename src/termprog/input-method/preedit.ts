import { UNDERLINE, UNDERLINE_SHIFT } from '../engine/cell.ts';
import type { ComposedCharacter, Composition } from '../ports/text-input.ts';

/** Characters of a composition that are kept; more than any screen shows. */
const CHARACTERS_MAX = 1_024;

/** How text looks that is being composed. */
const COMPOSED = { foreground: 0, background: UNDERLINE.single << UNDERLINE_SHIFT };

/** Text that is being composed, and where its caret is. */
export class Preedit {
  #characters: readonly ComposedCharacter[] = [];
  #caret = 0;

  get text(): string {
    return this.#characters.map(({ character }) => character).join('');
  }

  /** In characters from the beginning. */
  get caret(): number {
    return this.#caret;
  }

  /** Undefined when there is no text. */
  get composition(): Composition | undefined {
    return this.#characters.length === 0 ? undefined : { characters: this.#characters, caret: this.#caret };
  }

  /** Puts text in the place of `length` characters from `first` on. */
  draw(change: { first: number; length: number; text: string; caret: number }): void {
    const first = Math.max(0, Math.min(change.first, this.#characters.length));
    const length = Math.max(0, change.length);
    const drawn = Array.from(change.text, (character) => ({ character, ...COMPOSED }));
    this.#characters = this.#characters.toSpliced(first, length, ...drawn).slice(0, CHARACTERS_MAX);
    this.moveCaret(change.caret);
  }

  moveCaret(caret: number): void {
    this.#caret = Math.max(0, Math.min(caret, this.#characters.length));
  }

  clear(): void {
    this.#characters = [];
    this.#caret = 0;
  }
}
