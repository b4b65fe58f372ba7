import {
  BLINK,
  BOLD,
  COLOR_INDEXED,
  COLOR_MASK,
  DIM,
  INVERSE,
  INVISIBLE,
  ITALIC,
  OVERLINE,
  STRIKETHROUGH,
  UNDERLINE,
  UNDERLINE_MASK,
  UNDERLINE_SHIFT,
} from './cell.ts';
import type { Pen } from './pen.ts';

/** Numbers of SGR below this are in the table. */
export const RENDITIONS = 108;

/** The numbers that are followed by the numbers of a colour. */
const FOREGROUND_COLOR = 38;
const BACKGROUND_COLOR = 48;
const UNDERLINE_COLOR = 58;

/** The number that is followed by one of 256 colours. */
const INDEXED = 5;

/** The words of the pen on which numbers have an effect. */
type PenWord = 'foreground' | 'background';

/**
 * For each number of SGR: the bits of the pen's words that stay, and those that are set. A number without meaning has
 * no effect.
 */
export const renditions = {
  foregroundKept: new Int32Array(RENDITIONS).fill(-1),
  foregroundSet: new Int32Array(RENDITIONS),
  backgroundKept: new Int32Array(RENDITIONS).fill(-1),
  backgroundSet: new Int32Array(RENDITIONS),
} as const;

function define(word: PenWord, number: number, cleared: number, set: number): void {
  renditions[`${word}Kept`][number] = ~cleared;
  renditions[`${word}Set`][number] = set;
}

/** Enters sixteen colours in two rows of eight. */
function definePalette(word: PenWord, first: number, firstBright: number): void {
  for (let color = 0; color < 8; color += 1) {
    define(word, first + color, COLOR_MASK, COLOR_INDEXED | color);
    define(word, firstBright + color, COLOR_MASK, COLOR_INDEXED | (8 + color));
  }
}

define('foreground', 0, -1, 0);
define('background', 0, -1, 0);
const attributes = [
  [1, BOLD],
  [2, DIM],
  [3, ITALIC],
  [5, BLINK],
  [6, BLINK],
  [7, INVERSE],
  [8, INVISIBLE],
] as const;
for (const [number, attribute] of attributes) define('foreground', number, 0, attribute);
define('foreground', 22, BOLD | DIM, 0);
define('foreground', 23, ITALIC, 0);
define('foreground', 25, BLINK, 0);
define('foreground', 27, INVERSE, 0);
define('foreground', 28, INVISIBLE, 0);
define('background', 4, UNDERLINE_MASK, UNDERLINE.single << UNDERLINE_SHIFT);
define('background', 21, UNDERLINE_MASK, UNDERLINE.double << UNDERLINE_SHIFT);
define('background', 24, UNDERLINE_MASK, 0);
define('background', 9, 0, STRIKETHROUGH);
define('background', 29, STRIKETHROUGH, 0);
define('background', 53, 0, OVERLINE);
define('background', 55, OVERLINE, 0);
definePalette('foreground', 30, 90);
definePalette('background', 40, 100);
define('foreground', 39, COLOR_MASK, 0);
define('background', 49, COLOR_MASK, 0);

const { foregroundKept, foregroundSet, backgroundKept, backgroundSet } = renditions;

/**
 * Sets colours and attributes by the numbers of SGR. Returns false, without any effect, for numbers that concern more
 * than the pen's two words, and for colours given by their parts.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one function, which V8 compiles early (decision 400)
export function setRendition(pen: Pen, numbers: Int32Array, count: number): boolean {
  let { foreground, background } = pen;
  for (let index = 0; index < count; index += 1) {
    const number = Math.max(0, numbers[index] as number);
    if (number === FOREGROUND_COLOR || number === BACKGROUND_COLOR) {
      const isIndexed = index + 2 < count && numbers[index + 1] === INDEXED;
      const color = isIndexed ? (numbers[index + 2] as number) : -1;
      if (color < 0 || color > 0xff) return false;
      if (number === FOREGROUND_COLOR) foreground = (foreground & ~COLOR_MASK) | COLOR_INDEXED | color;
      else background = (background & ~COLOR_MASK) | COLOR_INDEXED | color;
      index += 2;
    } else if (number >= RENDITIONS || number === UNDERLINE_COLOR || pen.extra !== 0) return false;
    else {
      foreground = (foreground & (foregroundKept[number] as number)) | (foregroundSet[number] as number);
      background = (background & (backgroundKept[number] as number)) | (backgroundSet[number] as number);
    }
  }
  pen.foreground = foreground;
  pen.background = background;
  return true;
}
