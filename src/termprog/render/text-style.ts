import {
  BLINK,
  BOLD,
  COLOR_INDEXED,
  COLOR_KIND_MASK,
  DIM,
  INVERSE,
  INVISIBLE,
  OVERLINE,
  STRIKETHROUGH,
  UNDERLINE_MASK,
  UNDERLINE_SHIFT,
} from '../engine/cell.ts';
import type { Palette } from './palette.ts';

/** Colours that have a bright form eight entries higher. */
const NORMAL_COLORS = 8;

/** The fraction of its brightness that dim text keeps. */
const DIM_NUMERATOR = 2;
const DIM_DENOMINATOR = 3;

/** Factor from a level of eight bits to one of the X protocol's sixteen: FF becomes FFFF. */
const TO_SIXTEEN_BITS = 0x101;

const LINES = STRIKETHROUGH | OVERLINE | UNDERLINE_MASK;

/** Resolves the words of a cell to the look of a run; colours are pixel values. One object is reused for all runs. */
export class TextStyle {
  foreground = 0;
  /** Translucent for the default background in a translucent window. */
  background = 0;
  /** The same colour, opaque. */
  opaqueBackground = 0;
  /** The text has the colour of its background. */
  isHidden = false;
  /** Colour of underlines. */
  lineColor = 0;
  /** Whether a line is drawn through the text, below it or above it. */
  hasLines = false;
  /** One of UNDERLINE. */
  underline = 0;
  isStruckThrough = false;
  isOverlined = false;
  boldIsBright: boolean;
  /** Blinking text is in its hidden phase. */
  hidesBlinking = false;
  readonly #palette: Palette;
  #isTaken = false;
  #foregroundWord = 0;
  #backgroundWord = 0;
  #underlineColor = 0;

  constructor(palette: Palette, boldIsBright: boolean) {
    this.#palette = palette;
    this.boldIsBright = boldIsBright;
  }

  /** Makes the next `take` compute the style again, even if it is unchanged. */
  forget(): void {
    this.#isTaken = false;
  }

  /** Replaces the cell's colours, as under a cursor. */
  override(foreground: number, background: number): void {
    if (this.lineColor === this.foreground) this.lineColor = foreground;
    this.foreground = foreground;
    this.background = background;
    this.#isTaken = false;
  }

  /**
   * Takes the style of a cell; a repetition of the last style costs little.
   * @param underlineColor as a colour word; 0 for the colour of the text
   */
  take(foregroundWord: number, backgroundWord: number, underlineColor: number): void {
    const isSame =
      this.#isTaken &&
      foregroundWord === this.#foregroundWord &&
      backgroundWord === this.#backgroundWord &&
      underlineColor === this.#underlineColor;
    if (isSame) return;
    this.#isTaken = true;
    this.#foregroundWord = foregroundWord;
    this.#backgroundWord = backgroundWord;
    this.#underlineColor = underlineColor;
    this.#resolve(foregroundWord, backgroundWord, underlineColor);
  }

  #resolve(foregroundWord: number, backgroundWord: number, underlineColor: number): void {
    const palette = this.#palette;
    const color = palette.colorOf(this.#brighten(foregroundWord), palette.foreground);
    const written = (foregroundWord & DIM) === 0 ? color : dim(color);
    const paper = palette.colorOf(backgroundWord, palette.background);
    const isInverse = (foregroundWord & INVERSE) !== 0;
    const background = isInverse ? written : paper;
    const foreground = isInverse ? paper : written;
    const isPaper = !isInverse && (backgroundWord & COLOR_KIND_MASK) === 0;
    this.opaqueBackground = palette.pixel(background);
    this.background = isPaper ? palette.paper : this.opaqueBackground;
    this.isHidden = (foregroundWord & INVISIBLE) !== 0 || (this.hidesBlinking && (foregroundWord & BLINK) !== 0);
    this.foreground = this.isHidden ? this.background : palette.pixel(foreground);
    this.hasLines = (backgroundWord & LINES) !== 0;
    if (!this.hasLines) return;
    this.underline = (backgroundWord & UNDERLINE_MASK) >>> UNDERLINE_SHIFT;
    this.isStruckThrough = (backgroundWord & STRIKETHROUGH) !== 0;
    this.isOverlined = (backgroundWord & OVERLINE) !== 0;
    this.lineColor =
      underlineColor !== 0 && !this.isHidden
        ? palette.pixel(palette.colorOf(underlineColor, foreground))
        : this.foreground;
  }

  #brighten(word: number): number {
    const isBright =
      this.boldIsBright &&
      (word & BOLD) !== 0 &&
      (word & COLOR_KIND_MASK) === COLOR_INDEXED &&
      (word & 0xff) < NORMAL_COLORS;
    return isBright ? word + NORMAL_COLORS : word;
  }
}

/** Dims as xterm does, with the X server's sixteen bits per level: rounding eight bits gives other pixels. */
function dim(color: number): number {
  const scale = (level: number): number => Math.floor((level * TO_SIXTEEN_BITS * DIM_NUMERATOR) / DIM_DENOMINATOR) >> 8;
  return (scale(color >> 16) << 16) | (scale((color >> 8) & 0xff) << 8) | scale(color & 0xff);
}
