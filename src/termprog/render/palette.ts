import type { Rgb } from '../color/parse-color.ts';
import { COLOR_INDEXED, COLOR_KIND_MASK, COLOR_RGB, COLOR_VALUE_MASK } from '../engine/cell.ts';
import type { WindowVisual } from '../x11/window-visual.ts';
import { numberOf, type PixelValues, pixelValues } from './pixel-values.ts';

/** The configured colours of text, before any reversal. */
export interface TextColors {
  foreground: Rgb;
  background: Rgb;
  /** Undefined means the colour of text. */
  cursor?: Rgb | undefined;
  /** Colours 0 to 15. */
  ansi: readonly Rgb[];
}

/** New colours; missing ones stay unchanged. */
export interface ColorChange {
  foreground?: Rgb;
  background?: Rgb;
  /** Undefined means the colour of text. */
  cursor?: Rgb | undefined;
  /** Entries 0 to 255 of the palette. */
  entries?: ReadonlyMap<number, Rgb>;
  boldIsBright?: boolean;
}

const ENTRIES = 256;

/** Levels of the 6x6x6 cube of palette entries 16 to 231, and of the greys after it, as in the reference terminal. */
const CUBE_FIRST = 16;
const CUBE_SIDE = 6;
const GREY_FIRST = 232;
const cubeLevel = (step: number): number => (step === 0 ? 0 : step * 40 + 55);
const greyLevel = (step: number): number => step * 10 + 8;

/**
 * Entries that are swapped together with the default colours, as in the reference terminal: black and white, dark and
 * bright.
 */
const SWAPPED_WITH_DEFAULTS = [
  [0, 7],
  [8, 15],
] as const;

/** The colours in force, as 0xrrggbb, and their pixel values in a window's visual. */
export class Palette {
  readonly #pixels: PixelValues;
  readonly #configured = new Uint32Array(ENTRIES);
  readonly #shown = new Uint32Array(ENTRIES);
  #foreground: number;
  #background: number;
  #cursor: number | undefined;
  #isReversed = false;
  #swapsEntries = false;
  #opacity = 1;
  /** Pixel value of the shown background. */
  #paper = 0;

  constructor(visual: WindowVisual, colors: TextColors) {
    this.#pixels = pixelValues(visual);
    this.#foreground = numberOf(colors.foreground);
    this.#background = numberOf(colors.background);
    this.#cursor = colors.cursor && numberOf(colors.cursor);
    for (let entry = 0; entry < ENTRIES; entry += 1) {
      const ansi = colors.ansi[entry];
      this.#configured[entry] = ansi === undefined ? extendedColor(entry) : numberOf(ansi);
    }
    this.#arrange();
  }

  change(change: ColorChange): void {
    if (change.foreground !== undefined) this.#foreground = numberOf(change.foreground);
    if (change.background !== undefined) this.#background = numberOf(change.background);
    if ('cursor' in change) this.#cursor = change.cursor && numberOf(change.cursor);
    for (const [entry, color] of change.entries ?? []) this.#configured[entry] = numberOf(color);
    this.#arrange();
  }

  /** @param swapsEntries whether black and white, and their bright forms, are swapped too */
  reverse(isReversed: boolean, swapsEntries: boolean): void {
    this.#isReversed = isReversed;
    this.#swapsEntries = swapsEntries;
    this.#arrange();
  }

  /** Shown default colours, after reversal. */
  get foreground(): number {
    return this.#isReversed ? this.#background : this.#foreground;
  }

  get background(): number {
    return this.#isReversed ? this.#foreground : this.#background;
  }

  /** Undefined means the colour of the text. */
  get cursor(): number | undefined {
    return this.#cursor;
  }

  /** Pixel value of the default background, with its opacity. */
  get paper(): number {
    return this.#paper;
  }

  /** @param opacity of the default background, from 0 to 1 */
  setOpacity(opacity: number): void {
    this.#opacity = opacity;
    this.#arrange();
  }

  /** Returns the opaque pixel value of a colour. */
  pixel(color: number): number {
    return this.#pixels.opaque(color);
  }

  /** Returns the colour of a cell's word; `fallback` for the default colour. */
  colorOf(word: number, fallback: number): number {
    const kind = word & COLOR_KIND_MASK;
    if (kind === COLOR_RGB) return word & COLOR_VALUE_MASK;
    return kind === COLOR_INDEXED ? (this.#shown[word & 0xff] ?? fallback) : fallback;
  }

  #arrange(): void {
    const shown = this.#shown;
    shown.set(this.#configured);
    this.#paper = this.#pixels.translucent(this.background, this.#opacity);
    if (!this.#swapsEntries) return;
    for (const [one, other] of SWAPPED_WITH_DEFAULTS) {
      shown[one] = this.#configured[other] ?? 0;
      shown[other] = this.#configured[one] ?? 0;
    }
  }
}

/** Returns the colour of a palette entry above the sixteen that are configured. */
export function entryColor(index: number): Rgb {
  const color = extendedColor(index);
  return { red: color >> 16, green: (color >> 8) & 0xff, blue: color & 0xff };
}

function extendedColor(index: number): number {
  if (index >= GREY_FIRST) return greyLevel(index - GREY_FIRST) * 0x010101;
  const cube = index - CUBE_FIRST;
  const red = cubeLevel(Math.floor(cube / (CUBE_SIDE * CUBE_SIDE)));
  const green = cubeLevel(Math.floor(cube / CUBE_SIDE) % CUBE_SIDE);
  return (red << 16) | (green << 8) | cubeLevel(cube % CUBE_SIDE);
}
