/** Characters of a composition that are kept; more than any screen shows. */
const CHARACTERS_MAX = 1_024;

/** Text that is being composed, and where its caret is. */
export class Preedit {
  #characters: string[] = [];
  #caret = 0;

  get text(): string {
    return this.#characters.join('');
  }

  /** In characters from the beginning. */
  get caret(): number {
    return this.#caret;
  }

  /** Puts text in the place of `length` characters from `first` on. */
  draw(change: { first: number; length: number; text: string; caret: number }): void {
    const first = Math.max(0, Math.min(change.first, this.#characters.length));
    const length = Math.max(0, change.length);
    const next = this.#characters.toSpliced(first, length, ...change.text);
    this.#characters = next.slice(0, CHARACTERS_MAX);
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
