/** The searched text, in the form in which lines are compared. */
export interface Pattern {
  /** Code points; small letters if case is ignored. */
  codes: Uint32Array;
  /** Maps a code point to the one as which it is compared. */
  fold(code: number): number;
  /**
   * For each prefix of `codes`, the length of its longest proper prefix that is also a suffix; Knuth, Morris, Pratt.
   */
  borders: Uint32Array;
}

/** Number of code points in the table; those beyond have a handful of cases. */
const TABLE_SIZE = 0x1_0000;

const FINAL_SIGMA = 'ς'.codePointAt(0) as number;
const SIGMA = 'σ'.codePointAt(0) as number;

/** They choose between two pictures of the same character. */
const VARIATION_SELECTORS = /[\ufe0e\ufe0f]/g;

/**
 * Creates a function that returns the small letter of a code point. It caches results, because most text has few
 * distinct characters.
 */
export function createFold(): (code: number) => number {
  const table = new Uint32Array(TABLE_SIZE);
  return (code) => {
    const known = table[code] ?? 0;
    if (known !== 0) return known;
    const folded = smallLetter(code);
    if (code < TABLE_SIZE) table[code] = folded;
    return folded;
  };
}

function smallLetter(code: number): number {
  const small = String.fromCodePoint(code).toLowerCase();
  const folded = small.codePointAt(0) ?? code;
  // A letter that would become two is unchanged.
  if (String.fromCodePoint(folded) !== small) return code;
  return folded === FINAL_SIGMA ? SIGMA : folded;
}

/** Normalizes characters that can be written in several ways. */
export function normalizeCluster(text: string): string {
  return text.normalize('NFC').replace(VARIATION_SELECTORS, '');
}

/** Compiles a pattern. Case matters if the text has a capital letter. ours: decision 127 */
export function compilePattern(text: string, fold: (code: number) => number): Pattern {
  const written = Uint32Array.from(normalizeCluster(text), (character) => character.codePointAt(0) as number);
  const folded = written.map((code) => fold(code));
  const hasCapital = written.some((code, at) => code !== folded[at] && code !== FINAL_SIGMA);
  const codes = hasCapital ? written : folded;
  return { codes, fold: hasCapital ? (code) => code : fold, borders: bordersOf(codes) };
}

function bordersOf(codes: Uint32Array): Uint32Array {
  const borders = new Uint32Array(codes.length);
  let length = 0;
  for (let at = 1; at < codes.length; at += 1) {
    while (length > 0 && codes[at] !== codes[length]) length = borders[length - 1] as number;
    if (codes[at] === codes[length]) length += 1;
    borders[at] = length;
  }
  return borders;
}
