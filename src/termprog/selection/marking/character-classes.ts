/** Marks a range in which each character is a class of its own, named by its code point. */
const OWN = -1;

type ClassRange = readonly [first: number, last: number, characterClass: number];

/**
 * The classes of the reference terminal; the last of overlapping ranges wins. Classes are named by their first or their
 * typical character: 32 are blanks, 48 letters and digits.
 */
const DEFAULT_RANGES: readonly ClassRange[] = [
  [0x00, 0x00, 32],
  [0x01, 0x1f, 1],
  [0x09, 0x09, 32],
  [0x20, 0x20, 32],
  [0x30, 0x39, 48],
  [0x41, 0x5a, 48],
  [0x5f, 0x5f, 48],
  [0x61, 0x7a, 48],
  [0x7f, 0x9f, 1],
  [0xa0, 0xbf, OWN],
  [0xc0, 0xffdf, 48],
  [0xd7, 0xd7, OWN],
  [0xf7, 0xf7, OWN],
  // Punctuation of single scripts.
  [0x37e, 0x37e, OWN],
  [0x387, 0x387, OWN],
  [0x55a, 0x55f, OWN],
  [0x589, 0x589, OWN],
  [0x700, 0x70d, OWN],
  [0x104a, 0x104f, OWN],
  [0x10fb, 0x10fb, OWN],
  [0x1361, 0x1368, OWN],
  [0x166d, 0x166e, OWN],
  [0x17d4, 0x17dc, OWN],
  [0x1800, 0x180a, OWN],
  // Spaces, punctuation, symbols.
  [0x2000, 0x200a, 32],
  [0x200b, 0x200f, 1],
  [0x2010, 0x27ff, OWN],
  [0x202a, 0x202e, 1],
  [0x2060, 0x206f, 1],
  [0x2070, 0x207f, 0x2070],
  [0x2080, 0x208f, 0x2080],
  // East Asian scripts.
  [0x3000, 0x3000, 32],
  [0x3001, 0x3020, OWN],
  [0x3040, 0x309f, 0x3040],
  [0x30a0, 0x30ff, 0x30a0],
  [0x3300, 0x9fff, 0x4e00],
  [0xac00, 0xd7a3, 0xac00],
  [0xf900, 0xfaff, 0x4e00],
  [0xfe30, 0xfe6b, OWN],
  [0xff00, 0xff0f, OWN],
  [0xff1a, 0xff20, OWN],
  [0xff3b, 0xff40, OWN],
  [0xff5b, 0xff64, OWN],
];

const LAST_CODE_POINT = 0x10_ffff;

/** Most ranges of a resource: each is checked for each character of a word. */
const RANGES_MAX = 1_024;

/** Most characters of one range's text, including blanks. */
const RANGE_MAX_CHARACTERS = 256;

/** Most faults that are logged; further ones are counted. */
const TOLD_MAX = 10;

/** Determines words: adjacent characters of the same class belong to one word. It caches the classes. */
export class CharacterClasses {
  readonly #ranges: readonly ClassRange[];
  readonly #known = new Map<number, number>();

  constructor(changes: readonly ClassRange[] = []) {
    this.#ranges = [...DEFAULT_RANGES, ...changes];
  }

  of(codePoint: number): number {
    const known = this.#known.get(codePoint);
    if (known !== undefined) return known;
    const range = this.#ranges.findLast(([first, last]) => first <= codePoint && codePoint <= last);
    const found = range === undefined || range[2] === OWN ? codePoint : range[2];
    this.#known.set(codePoint, found);
    return found;
  }
}

/**
 * Parses `low[-high][:class]`, separated by commas; without a class each character is a class of its own. Numbers may
 * be octal or hexadecimal, as in C. A malformed part is reported and ignored.
 * @spec termprog#terminal-widget-resources-termvt100 charClass
 */
export function readCharacterClasses(text: string | undefined, warn: (problem: string) => void): CharacterClasses {
  const changes: ClassRange[] = [];
  const parts = (text ?? '').split(',').map((part) => part.trim());
  let faults = 0;
  for (const part of parts) {
    if (part === '') continue;
    const range = readRange(part);
    if (range === undefined) {
      faults += 1;
      if (faults <= TOLD_MAX)
        warn(`"${part.slice(0, 80)}" is not a range of characters with a class, such as 45-47:48`);
    } else if (changes.length < RANGES_MAX) changes.push(range);
    else {
      warn(`more than ${RANGES_MAX} ranges of characters are given; the rest is left out`);
      break;
    }
  }
  if (faults > TOLD_MAX) warn(`${faults - TOLD_MAX} more parts are not ranges of characters`);
  return new CharacterClasses(changes);
}

function readRange(part: string): ClassRange | undefined {
  // The matching time grows with the square of the number of blanks.
  if (part.length > RANGE_MAX_CHARACTERS) return undefined;
  const [, low = '', high, name] =
    /^(0x[\da-f]+|\d+)\s*(?:-\s*(0x[\da-f]+|\d+))?\s*(?::\s*(0x[\da-f]+|\d+))?$/i.exec(part) ?? [];
  const first = numberOf(low);
  const last = high === undefined ? first : numberOf(high);
  const characterClass = name === undefined ? OWN : numberOf(name);
  return first <= last && last <= LAST_CODE_POINT && !Number.isNaN(characterClass)
    ? [first, last, characterClass]
    : undefined;
}

/** Parses a number like strtol(3) with base 0; NaN without digits. */
function numberOf(digits: string): number {
  if (/^0x/i.test(digits)) return Number.parseInt(digits.slice(2), 16);
  if (/^0\d/.test(digits)) return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
  return digits === '' ? Number.NaN : Number.parseInt(digits, 10);
}
