import type { ModeStates } from '../../engine/engine.ts';
import type { ModeName } from '../../engine/modes.ts';

/** A place in the text: cells from the left and from the top, or pixels; both from 0. */
export interface Place {
  x: number;
  y: number;
}

/** Content of one report of a button or of a motion. */
export interface MouseReport {
  /** Button, modifiers and motion flag, without the offset that some encodings add. */
  code: number;
  isRelease: boolean;
  place: Place;
}

/** An encoding of reports; xterm's control sequences, "Extended coordinates". */
export interface MouseEncoding {
  /** Places are pixels of the text area, not cells. */
  hasPixels: boolean;
  /** A release names its button. */
  namesReleased: boolean;
  /** Highest encodable button number, as in the X server. */
  buttonMax: number;
  report(report: MouseReport): Uint8Array;
  /** Encodes the report of highlight tracking; `final` is `t` with one place or `T` with three. */
  highlight(final: 't' | 'T', places: readonly Place[]): Uint8Array;
}

/** Offset of numbers that are written as characters, so that these are not control characters. */
const CHARACTER_OFFSET = 32;

/** First character codes beyond the encodings, which limit the columns and rows that can be reported. */
const BYTE_END = 256;
const UTF8_END = 2_048;

/** Most buttons: beyond them, several buttons would have the same code. */
const BUTTON_MAX = 11;
const BUTTON_MAX_OF_NUMBERS = 15;

/** Encodes numbers as single characters: 1 is `!`. A number that is too large becomes the character 0, as in xterm. */
function characters(end: number, encoding: 'latin1' | 'utf8'): MouseEncoding {
  const character = (value: number): string => {
    const code = value + CHARACTER_OFFSET;
    return String.fromCharCode(code < end ? code : 0);
  };
  const place = ({ x, y }: Place): string => character(x + 1) + character(y + 1);
  return {
    hasPixels: false,
    namesReleased: false,
    buttonMax: BUTTON_MAX,
    report: (report) => Buffer.from(`\x1b[M${character(report.code)}${place(report.place)}`, encoding),
    highlight: (final, places) => Buffer.from(`\x1b[${final}${places.map(place).join('')}`, encoding),
  };
}

const decimals = (places: readonly Place[]): string => places.map(({ x, y }) => `${x + 1};${y + 1}`).join(';');

/** Encodes numbers in decimal, with another final character for releases. */
const sgr: MouseEncoding = {
  hasPixels: false,
  namesReleased: true,
  buttonMax: BUTTON_MAX_OF_NUMBERS,
  report: ({ code, isRelease, place }) => Buffer.from(`\x1b[<${code};${decimals([place])}${isRelease ? 'm' : 'M'}`),
  highlight: (final, places) => Buffer.from(`\x1b[<${decimals(places)}${final}`),
};

const urxvt: MouseEncoding = {
  hasPixels: false,
  namesReleased: false,
  buttonMax: BUTTON_MAX_OF_NUMBERS,
  report: ({ code, place }) => Buffer.from(`\x1b[${code + CHARACTER_OFFSET};${decimals([place])}M`),
  highlight: (final, places) => Buffer.from(`\x1b[${decimals(places)}${final}`),
};

const ENCODINGS: readonly (readonly [ModeName, MouseEncoding])[] = [
  ['mouseUtf8', characters(UTF8_END, 'utf8')],
  ['mouseSgr', sgr],
  ['mouseUrxvt', urxvt],
  ['mouseSgrPixels', { ...sgr, hasPixels: true }],
];

const BYTES = characters(BYTE_END, 'latin1');

/** Returns the first encoding that the application has switched on, otherwise the original one. */
export function encodingIn(modes: Pick<ModeStates, 'get'>): MouseEncoding {
  return ENCODINGS.find(([name]) => modes.get(name))?.[1] ?? BYTES;
}
