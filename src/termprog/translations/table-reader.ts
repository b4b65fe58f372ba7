/** Most characters of the found text in a message. */
const FOUND_MAX_CHARACTERS = 24;

/** Syntax error of a line: the expectation, the place, and the text found there, if any. */
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

/** Reads a table's text character by character, and finds the place of an offset. */
export class TableReader {
  readonly #text: string;
  #at = 0;
  /** Start and number of the last counted line. */
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

  /** Returns the next character, or a later one; empty after the end. */
  peek(ahead = 0): string {
    return this.#text.charAt(this.#at + ahead);
  }

  /** Consumes `count` characters. */
  take(count = 1): string {
    const taken = this.#text.slice(this.#at, this.#at + count);
    this.#at += taken.length;
    return taken;
  }

  /** Consumes a text if it comes next; returns whether it did. */
  takeIf(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Consumes the match of a sticky expression here; empty without a match. */
  match(sticky: RegExp): string {
    sticky.lastIndex = this.#at;
    return this.take(sticky.exec(this.#text)?.[0].length ?? 0);
  }

  skipBlanks(): void {
    this.match(/[ \t\r]*/y);
  }

  /** Consumes the rest of the line, without its end. */
  restOfLine(): string {
    return this.match(/[^\n]*/y);
  }

  /** Goes to the line after a place. */
  skipLine(at = this.#at): void {
    const end = this.#text.indexOf('\n', at);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  /** @throws UnreadableLine with the text that was found instead */
  expected(what: string, at = this.#at): never {
    const word = /[^\s]+/y;
    word.lastIndex = at;
    throw new UnreadableLine(at, what, word.exec(this.#text)?.[0] ?? this.#text.charAt(at));
  }

  /** Returns `line 2, column 7` of a place; places must be queried in ascending order. */
  place(at: number): string {
    for (let end = this.#text.indexOf('\n', this.#lineStart); end >= 0 && end < at; ) {
      this.#line += 1;
      this.#lineStart = end + 1;
      end = this.#text.indexOf('\n', this.#lineStart);
    }
    return `line ${this.#line}, column ${at - this.#lineStart + 1}`;
  }
}
