import type { Screen } from 'x11';
import { COLOR_INDEXED, COLOR_KIND_MASK, COLOR_RGB } from '../engine/engine.ts';
import type { Rgb } from '../x11/color.ts';

/** The configured colours of text, and what stands for "default". */
export interface TextColors {
  foreground: Rgb;
  background: Rgb;
  /** Colours 0 to 15. */
  ansi: readonly Rgb[];
}

/** Levels of the 6x6x6 cube of palette entries 16 to 231, and the steps of the greys after it; as the reference terminal has them. */
const CUBE_FIRST = 16;
const CUBE_SIDE = 6;
const GREY_FIRST = 232;
const cubeLevel = (step: number): number => (step === 0 ? 0 : step * 40 + 55);
const greyLevel = (step: number): number => step * 10 + 8;

/** Pixel values of a TrueColor screen. */
export class Palette {
  readonly #pixelOf: (color: Rgb) => number;
  readonly #indexed: readonly Rgb[];
  readonly #colors: TextColors;

  constructor(screen: Screen, colors: TextColors) {
    this.#pixelOf = pixelPacker(screen);
    this.#colors = colors;
    this.#indexed = [...colors.ansi, ...Array.from({ length: 240 }, (_, index) => extendedColor(index + CUBE_FIRST))];
  }

  pixel(color: Rgb): number {
    return this.#pixelOf(color);
  }

  /** The colour a cell's word means; `isBackground` tells which default. */
  colorOf(word: number, isBackground: boolean): Rgb {
    const kind = word & COLOR_KIND_MASK;
    if (kind === COLOR_RGB) return { red: (word >> 16) & 0xff, green: (word >> 8) & 0xff, blue: word & 0xff };
    const fallback = isBackground ? this.#colors.background : this.#colors.foreground;
    return kind === COLOR_INDEXED ? (this.#indexed[word & 0xff] ?? fallback) : fallback;
  }
}

function extendedColor(index: number): Rgb {
  if (index >= GREY_FIRST) {
    const level = greyLevel(index - GREY_FIRST);
    return { red: level, green: level, blue: level };
  }
  const cube = index - CUBE_FIRST;
  return {
    red: cubeLevel(Math.floor(cube / (CUBE_SIDE * CUBE_SIDE))),
    green: cubeLevel(Math.floor(cube / CUBE_SIDE) % CUBE_SIDE),
    blue: cubeLevel(cube % CUBE_SIDE),
  };
}

/** Places each channel where the visual's masks want it. */
function pixelPacker({ depths, root_depth: depth, root_visual: visual }: Screen): (color: Rgb) => number {
  const masks = depths[depth]?.[visual];
  const place = (mask: number) => {
    const shift = 31 - Math.clz32(mask & -mask);
    const bits = 32 - Math.clz32(mask >>> shift);
    return (level: number): number => (bits >= 8 ? level << (shift + bits - 8) : (level >> (8 - bits)) << shift);
  };
  const red = place(masks?.red_mask ?? 0xff0000);
  const green = place(masks?.green_mask ?? 0xff00);
  const blue = place(masks?.blue_mask ?? 0xff);
  return (color) => (red(color.red) | green(color.green) | blue(color.blue)) >>> 0;
}
