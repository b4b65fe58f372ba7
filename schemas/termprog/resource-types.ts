/** Type of a value, which decides its form and its check; these names are those of the option reference. */
export type XResourceType =
  | 'boolean'
  | 'integer'
  | 'number'
  | 'string'
  | 'pattern'
  | 'font'
  | 'color'
  | 'dimension'
  | 'geometry';

/** Bounds of a number, both inclusive. */
export interface NumberRange {
  min?: number;
  max?: number;
}

/** A text that was understood, or what was expected instead. */
export type Reading<Value> = { value: Value } | { expected: string };

/** Valid texts of a resource, and the conversion to its value in the program. */
export interface ResourceType<Value> {
  type: XResourceType;
  /** Converts the text to the value. Schemas use it; for a text that was checked before, it is called directly. */
  read(text: string): Reading<Value>;
  /** The only values accepted, where the type is a choice; compared without regard to case. */
  choices?: readonly string[];
  /** Bounds of a number, where only a part of the numbers makes sense. */
  range?: NumberRange;
  /** A word accepted in place of a number. */
  word?: string;
}

/** Longest length of X, which sends it in 16 bits. */
const DIMENSION_MAX = 65_535;

const TRUE_WORDS = ['true', 'yes', 'on', '1'];
const FALSE_WORDS = ['false', 'no', 'off', '0'];

/**
 * A size and a place, each part optional, with the numbers of XParseGeometry(3): a second sign belongs to the number,
 * and a sign alone is the number zero. A negative size is not valid.
 */
export const GEOMETRY =
  /^(?!=$)=?(?:(?<width>\d+)(?:[xX](?<height>\+\d*|-0*|\d+))?|x(?<heightAlone>\+\d*|-0*|\d+))?(?:(?<xSign>[+-])(?<x>[+-]\d*|\d+)(?:(?<ySign>[+-])(?<y>[+-]\d*|\d+))?)?$/;

const BOOLEAN_EXPECTED = 'a boolean (true, yes, on, 1, false, no, off or 0)';
const GEOMETRY_EXPECTED = 'a geometry (WIDTHxHEIGHT+X+Y with any part left out, such as 80x24, +10-0 or 100x30+0+0)';

const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

export const boolean: ResourceType<boolean> = {
  type: 'boolean',
  read: (given) => {
    const truth = truthOf(given.trim().toLowerCase());
    return truth === undefined ? { expected: BOOLEAN_EXPECTED } : { value: truth === 'true' };
  },
};

/** A length in pixels. */
export const dimension: ResourceType<number> = {
  type: 'dimension',
  read: readNumber(INTEGER, 'an integer', { min: 0, max: DIMENSION_MAX }),
};

/** Any text, with the blanks at its end. */
export const text: ResourceType<string> = { type: 'string', read: (value) => ({ value }) };

/** A pattern that selects an outline font. */
export const pattern: ResourceType<string> = { type: 'pattern', read: readTrimmed };

/** The name of a bitmap font. */
export const font: ResourceType<string> = { type: 'font', read: readTrimmed };

/** Most fonts of a list: each is opened until one fits. Real lists are far shorter. */
const FONT_LIST_MAX = 64;

/** Names of bitmap fonts and patterns of outline fonts, separated by commas. */
export const fontList: ResourceType<string> = {
  type: 'font',
  read: (given) => {
    const value = given.trim();
    const isTooLong = value.split(',', FONT_LIST_MAX + 1).length > FONT_LIST_MAX;
    return isTooLong ? { expected: `at most ${FONT_LIST_MAX} fonts, separated by commas` } : { value };
  },
};

/** A colour in numbers, or a name. Which numbers are a colour is decided where colours are read, in the program. */
export const color: ResourceType<string> = { type: 'color', read: readTrimmed };

export const geometry: ResourceType<string> = {
  type: 'geometry',
  read: (given) => {
    const value = given.trim();
    return GEOMETRY.test(value) ? { value } : { expected: GEOMETRY_EXPECTED };
  },
};

export function integer(range?: NumberRange): ResourceType<number> {
  return { type: 'integer', read: readNumber(INTEGER, 'an integer', range), ...(range && { range }) };
}

export function number(range?: NumberRange): ResourceType<number> {
  return { type: 'number', read: readNumber(NUMBER, 'a number', range), ...(range && { range }) };
}

/** A number, or one word in its place. */
export function numberOr<const Word extends string>(word: Word, range: NumberRange): ResourceType<number | Word> {
  const readOther = readNumber(NUMBER, 'a number', range);
  const read = (given: string): Reading<number | Word> => {
    if (given.trim().toLowerCase() === word) return { value: word };
    const reading = readOther(given);
    return 'value' in reading ? reading : { expected: `${reading.expected} or ${word}` };
  };
  return { type: 'number', read, range, word };
}

/** One word out of a few. If `true` and `false` are among them, the other words for booleans are accepted, too. */
export function choice<const Word extends string>(...choices: readonly Word[]): ResourceType<Word> {
  const read = (given: string): Reading<Word> => {
    const written = given.trim().toLowerCase();
    const truth = truthOf(written);
    const value = choices.find((word) => word === written) ?? choices.find((word) => word === truth);
    return value === undefined ? { expected: `one of ${choices.join(', ')}` } : { value };
  };
  return { type: 'string', read, choices };
}

/** Meaning of a word as a boolean, like in XtCvtStringToBoolean. */
function truthOf(word: string): 'true' | 'false' | undefined {
  if (TRUE_WORDS.includes(word)) return 'true';
  return FALSE_WORDS.includes(word) ? 'false' : undefined;
}

function readTrimmed(given: string): Reading<string> {
  return { value: given.trim() };
}

function readNumber(form: RegExp, noun: string, range: NumberRange = {}): (given: string) => Reading<number> {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range;
  return (given) => {
    const word = given.trim();
    const value = Number(word);
    const isAccepted = form.test(word) && value >= min && value <= max;
    return isAccepted ? { value } : { expected: noun + boundsInWords(range) };
  };
}

function boundsInWords({ min, max }: NumberRange): string {
  if (min === undefined) return max === undefined ? '' : ` up to ${max}`;
  return max === undefined ? ` of at least ${min}` : ` from ${min} to ${max}`;
}
