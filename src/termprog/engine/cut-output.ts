const ESCAPE = 0x1b;
const LEFT_BRACKET = 0x5b;
const QUESTION_MARK = 0x3f;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const SEMICOLON = 0x3b;
/** The bytes that begin a character of several. */
const FIRST_LEAD = 0xc2;
const LAST_LEAD = 0xf4;

/** The most bytes that are held; what is longer goes to the parser. */
const HELD_MAX = 96;

/**
 * Holds the end of output that was cut within a plain sequence or a character, until its rest comes. The kernel hands
 * out 4 KiB at a time, so that most pieces of coloured text end within a sequence. The parser could take these, but V8
 * would compile all of its code for a few of many sequences. In the parser, such a beginning has no effect either.
 */
export class CutOutput {
  readonly bytes = new Uint8Array(HELD_MAX);
  length = 0;
  /** Whether those that are held lack their end. */
  isPartial = false;

  /** Holds bytes up to `end` if they are such a beginning; returns whether they are. */
  hold(bytes: Uint8Array, start: number, end: number): boolean {
    const first = bytes[start] as number;
    const mayBegin = first === ESCAPE || (first >= FIRST_LEAD && first <= LAST_LEAD);
    if (!mayBegin || end - start >= HELD_MAX) return false;
    this.bytes[0] = first;
    this.length = 1;
    this.complete(bytes, start + 1, end);
    if (!this.isPartial) this.length = 0;
    return this.isPartial;
  }

  /** Appends bytes until the sequence or character is complete, or turns out not to be one; returns the place behind. */
  complete(bytes: Uint8Array, start: number, end: number): number {
    const held = this.bytes;
    const isSequence = held[0] === ESCAPE;
    let { length } = this;
    let at = start;
    let isPartial = true;
    for (; at < end && isPartial; at += 1) {
      const code = bytes[at] as number;
      held[length] = code;
      length += 1;
      if (!isSequence) isPartial = isCutCharacter(held, length);
      else if (length === 2) isPartial = code === LEFT_BRACKET;
      else {
        const isNumber = (code >= DIGIT_ZERO && code <= DIGIT_NINE) || code === SEMICOLON;
        isPartial = (isNumber || (code === QUESTION_MARK && length === 3)) && length < HELD_MAX;
      }
    }
    this.length = length;
    this.isPartial = isPartial;
    return at;
  }
}

/** Returns whether a character lacks bytes, and those that are there may begin a valid one. */
function isCutCharacter(bytes: Uint8Array, length: number): boolean {
  const first = bytes[0] as number;
  const second = bytes[1] as number;
  if (((bytes[length - 1] as number) & 0xc0) !== 0x80) return false;
  if (first < 0xe0) return false;
  if (first < 0xf0) return length < 3 && (first !== 0xe0 || second >= 0xa0) && (first !== 0xed || second < 0xa0);
  return length < 4 && (first !== 0xf0 || second >= 0x90) && (first !== 0xf4 || second < 0x90);
}
