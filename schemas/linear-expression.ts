/**
 * Longest expression with its counts written out. Real ones have some hundred characters, and each character costs time
 * at each letter of a name.
 */
const WRITTEN_OUT_MAX_CHARACTERS = 16_384;

/** One token of a valid expression: a repetition, the beginning or end of a group, or an atom. */
const STEP =
  /(?<count>\{(?<least>\d+)(?<to>,(?<most>\d*))?\}\??)|(?<repeat>[*+?]\??)|(?<open>\((?:\?(?::|<\w+>))?)|(?<close>\))|\[(?:[^\]\\]|\\.)*\]|\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|c[A-Za-z]|0[0-7]{0,2}|.)|./gsy;

/** A group that is still open: its complete parts, and its last part, to which a following repetition applies. */
class Group {
  #done = '';
  #last = '';

  get text(): string {
    return this.#done + this.#last;
  }

  append(part: string): void {
    this.#done = this.text;
    this.#last = checked(part, this.#done.length);
  }

  repeat(sign: string): void {
    this.#last += sign;
  }

  /** @param most times; Infinity for any number of them */
  repeatCounted(least: number, most: number): void {
    const part = this.#last;
    const rest = most === Number.POSITIVE_INFINITY ? `${part}*` : repeated(`${part}?`, most - least);
    this.#last = '';
    this.append(repeated(part, least) + rest);
  }
}

/**
 * An expression for the same texts with each counted repetition written out, and without captures: V8's engine whose time
 * grows with the text alone takes no count above 16, nor counts within counts whose product is larger.
 * @param expression of right syntax, without looking around and references back
 * @throws RangeError when it would be longer than 16384 characters
 */
export function writeOutCounts(expression: string): string {
  const outer: Group[] = [];
  let group = new Group();
  for (const { 0: text, groups: found = {} } of expression.matchAll(STEP)) {
    if (found['open'] !== undefined) {
      outer.push(group);
      group = new Group();
    } else if (found['close'] !== undefined) {
      const inner = `(?:${group.text})`;
      group = outer.pop() ?? new Group();
      group.append(inner);
    } else if (found['count'] !== undefined) group.repeatCounted(...boundsOf(found));
    else if (found['repeat'] === undefined) group.append(text);
    else group.repeat(text);
  }
  return checked(group.text);
}

function boundsOf({ least = '', to, most }: Record<string, string | undefined>): [least: number, most: number] {
  if (to === undefined) return [Number(least), Number(least)];
  return [Number(least), most === '' ? Number.POSITIVE_INFINITY : Number(most)];
}

/** Repeats a part. Zero times gives `(?:)`: it matches an empty text, and may itself be repeated. */
function repeated(part: string, times: number): string {
  if (part.length * times > WRITTEN_OUT_MAX_CHARACTERS) throw tooLong();
  return times === 0 ? '(?:)' : part.repeat(times);
}

function checked(part: string, before = 0): string {
  if (before + part.length > WRITTEN_OUT_MAX_CHARACTERS) throw tooLong();
  return part;
}

const tooLong = (): RangeError =>
  new RangeError(`longer than ${WRITTEN_OUT_MAX_CHARACTERS} characters with counted repetitions written out`);
