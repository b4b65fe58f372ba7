/** Of what stands where something else was expected, so much is told. */
const FOUND_MAX_CHARACTERS = 24;

/** A line that cannot be read: what was expected where, and what stands there, if anything does. */
export class UnreadableLine extends Error {
  readonly at: number;

  constructor(at: number, expected: string, found?: string) {
    super(`expected ${expected}, found ${found === undefined ? 'none' : shown(found)}`);
    this.at = at;
  }
}

function shown(found: string): string {
  if (found === '' || found === '\n') return 'the end of the line';
  return found.trim() === '' ? 'a blank' : `"${found.slice(0, FOUND_MAX_CHARACTERS)}"`;
}

/** A table's text, read character by character. */
export class TableReader {
  readonly #text: string;
  #at = 0;
  /** Where the line begins on which `#lineCountedTo` lies, and its number. */
  #lineStart = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  get isAtLineEnd(): boolean {
    return this.isAtEnd || this.peek() === '\n';
  }

  /** The next character, or one behind it; empty behind the end. */
  peek(ahead = 0): string {
    return this.#text.charAt(this.#at + ahead);
  }

  /** Takes so many characters. */
  take(count = 1): string {
    const taken = this.#text.slice(this.#at, this.#at + count);
    this.#at += taken.length;
    return taken;
  }

  /** Whether a text came next; then it is taken. */
  takeIf(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Takes what a sticky expression matches here; empty when it does not. */
  match(sticky: RegExp): string {
    sticky.lastIndex = this.#at;
    return this.take(sticky.exec(this.#text)?.[0].length ?? 0);
  }

  skipBlanks(): void {
    this.match(/[ \t\r]*/y);
  }

  /** Takes the rest of the line, without its end. */
  restOfLine(): string {
    return this.match(/[^\n]*/y);
  }

  /** Goes to the line behind a place. */
  skipLine(at = this.#at): void {
    const end = this.#text.indexOf('\n', at);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  /** @throws UnreadableLine that says what stands here instead */
  expected(what: string, at = this.#at): never {
    const word = /[^\s]+/y;
    word.lastIndex = at;
    throw new UnreadableLine(at, what, word.exec(this.#text)?.[0] ?? this.#text.charAt(at));
  }

  /** `line 2, column 7` of a place; places are asked for in ascending order. */
  place(at: number): string {
    for (let end = this.#text.indexOf('\n', this.#lineStart); end >= 0 && end < at; ) {
      this.#line += 1;
      this.#lineStart = end + 1;
      end = this.#text.indexOf('\n', this.#lineStart);
    }
    return `line ${this.#line}, column ${at - this.#lineStart + 1}`;
  }
}
