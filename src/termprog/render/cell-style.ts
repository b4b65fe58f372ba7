import { ATTRIBUTE, COLOR_INDEXED, COLOR_KIND_MASK } from '../engine/engine.ts';
import type { Rgb } from '../x11/color.ts';
import type { Palette } from './palette.ts';

/** How a run of cells is drawn; pixels are those of the screen. */
export interface CellStyle {
  foreground: number;
  background: number;
  isBold: boolean;
  isUnderlined: boolean;
  isStruckThrough: boolean;
  isOverlined: boolean;
}

/** Colours that have a bright form eight entries higher. */
const NORMAL_COLORS = 8;

/** Numerator and denominator of how much of its light dim text keeps. */
const DIM = [2, 3] as const;

/** Turns a cell's words into what is drawn. */
export class StyleResolver {
  readonly #palette: Palette;
  readonly #boldIsBright: boolean;

  constructor(palette: Palette, { boldIsBright }: { boldIsBright: boolean }) {
    this.#palette = palette;
    this.#boldIsBright = boldIsBright;
  }

  resolve(foregroundWord: number, backgroundWord: number, attributes: number): CellStyle {
    const has = (attribute: number): boolean => (attributes & attribute) !== 0;
    const isBold = has(ATTRIBUTE.bold);
    let foreground = this.#palette.colorOf(isBold ? this.#brighten(foregroundWord) : foregroundWord, false);
    let background = this.#palette.colorOf(backgroundWord, true);
    if (has(ATTRIBUTE.dim)) foreground = dim(foreground);
    if (has(ATTRIBUTE.inverse)) [foreground, background] = [background, foreground];
    const backgroundPixel = this.#palette.pixel(background);
    return {
      foreground: has(ATTRIBUTE.invisible) ? backgroundPixel : this.#palette.pixel(foreground),
      background: backgroundPixel,
      isBold,
      isUnderlined: has(ATTRIBUTE.underline),
      isStruckThrough: has(ATTRIBUTE.strikethrough),
      isOverlined: has(ATTRIBUTE.overline),
    };
  }

  #brighten(word: number): number {
    const isNormalColor = (word & COLOR_KIND_MASK) === COLOR_INDEXED && (word & 0xff) < NORMAL_COLORS;
    return this.#boldIsBright && isNormalColor ? word + NORMAL_COLORS : word;
  }
}

function dim({ red, green, blue }: Rgb): Rgb {
  const [numerator, denominator] = DIM;
  const scale = (level: number): number => Math.floor((level * numerator) / denominator);
  return { red: scale(red), green: scale(green), blue: scale(blue) };
}
