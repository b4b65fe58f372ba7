/**
 * The body of an anchored JavaScript pattern as POSIX extended syntax, the one `builtins.match` of Nix reads.
 * @throws Error naming the part that can't be carried over
 * @see POSIX.1-2017 §9.4
 */
export function posixPattern(pattern: RegExp): string {
  if (pattern.flags !== '') throw new Error(`${pattern}: flags have no counterpart in POSIX`);
  const body = /^\^(.*)\$$/s.exec(pattern.source)?.[1];
  if (body === undefined) throw new Error(`${pattern}: POSIX patterns of Nix are anchored, so this one must be too`);
  const translation = new Translation(body);
  try {
    return translation.run();
  } catch (error) {
    throw new Error(`${pattern}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Characters whose escape means the character itself, in both syntaxes. */
const LITERAL_WHEN_ESCAPED = '\\^$.|?*+()[{';

/** Characters that POSIX takes literally outside of brackets, and only without an escape. */
const LITERAL_WHEN_BARE = '/]}';

/** Translates one pattern from left to right. It keeps the place in it, the depth of groups, and the output so far. */
class Translation {
  readonly #body: string;
  #at = 0;
  #depth = 0;
  #out = '';

  constructor(body: string) {
    this.#body = body;
  }

  run(): string {
    while (this.#at < this.#body.length) this.#step();
    return this.#out;
  }

  #step(): void {
    const char = this.#take();
    if (char === '\\') this.#out += escaped(this.#take());
    else if (char === '[') this.#bracket();
    else if (char === '(') this.#group();
    else if ('*+?}'.includes(char)) this.#quantifier(char);
    else {
      if (char === ')') this.#depth -= 1;
      if (char === '|' && this.#depth === 0) throw new Error('a choice outside of a group escapes the anchors');
      if (char === '^' || char === '$') throw new Error(`an anchor (${char}) in the middle`);
      this.#out += char;
    }
  }

  #group(): void {
    this.#depth += 1;
    this.#out += '(';
    if (this.#peek() !== '?') return;
    if (this.#body.slice(this.#at, this.#at + 2) !== '?:') throw new Error('a look-around or named group');
    this.#at += 2;
  }

  #quantifier(char: string): void {
    if (this.#peek() === '?') throw new Error(`a lazy quantifier (${char}?)`);
    this.#out += char;
  }

  /**
   * Translates a bracket expression. POSIX takes a backslash in it literally, and wants a closing bracket first.
   */
  #bracket(): void {
    let [first, rest] = ['[', ''];
    if (this.#peek() === '^') first += this.#take();
    if (this.#peek() === ']') throw new Error('an empty bracket expression');
    for (let char = this.#take(); char !== ']'; char = this.#take()) {
      if (char !== '\\') rest += char;
      else if (this.#peek() === ']') first += this.#take();
      else rest += escapedInBrackets(this.#take());
    }
    // Three pairs of characters with a bracket have a meaning of their own.
    if (/\[[.:=]/.test(rest))
      throw new Error('an opening bracket before a dot, a colon or an equals sign inside brackets');
    this.#out += `${first}${rest}]`;
  }

  #peek(): string {
    return this.#body.charAt(this.#at);
  }

  #take(): string {
    const char = this.#peek();
    if (char === '') throw new Error('it ends in the middle');
    this.#at += 1;
    return char;
  }
}

function escaped(char: string): string {
  if (char === 'd') return '[0-9]';
  if (LITERAL_WHEN_BARE.includes(char)) return char;
  if (LITERAL_WHEN_ESCAPED.includes(char)) return `\\${char}`;
  throw new Error(`\\${char} has no counterpart in POSIX`);
}

function escapedInBrackets(char: string): string {
  if (char === 'd') return '0-9';
  if ('/.\\['.includes(char)) return char;
  throw new Error(`\\${char} inside brackets`);
}
