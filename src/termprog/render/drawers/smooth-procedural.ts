import type { OutlineText } from '../outline-text.ts';
import { coverageOf } from '../procedural/coverage.ts';
import { isProcedural } from '../procedural/pictures.ts';
import type { Run } from '../run.ts';
import type { CreateDrawer, Drawer, DrawerParts, Glyph, Slot } from './drawer.ts';
import { haveTurn, type Turn } from './procedural.ts';

const BLANK = 0x20;

/** Bits above the code point and above the variants of faces, whose numbers for the same character differ. */
const PROCEDURAL = 1 << 24;
const BOLD = 1 << 25;

interface SmoothSlot extends Slot {
  /** Bits of its glyphs' numbers above the code point. */
  variant: number;
}

/**
 * Draws procedural glyphs for outline fonts: with edges as smooth as those of text, and in the same requests.
 * @spec termprog#terminal-widget-resources-termvt100 forceBoxChars
 */
class SmoothProceduralDrawer implements Drawer {
  readonly #parts: DrawerParts;
  readonly #text: OutlineText | undefined;
  readonly #ascent: number;
  readonly #normal: SmoothSlot;
  readonly #bold: SmoothSlot;
  #ids = new Uint32Array(256);

  constructor(parts: DrawerParts, turn: Turn) {
    const { graphics, fonts } = parts;
    this.#parts = parts;
    this.#text = fonts.kind === 'outline' && haveTurn(parts, turn) ? graphics.outlineText : undefined;
    this.#ascent = fonts.ascent;
    const slot = { drawer: this, cells: 1, takesBlanks: true, overhangs: false };
    this.#normal = { ...slot, variant: PROCEDURAL };
    this.#bold = { ...slot, variant: PROCEDURAL | BOLD };
  }

  slotFor({ codePoint, cells, isBold }: Glyph): Slot | undefined {
    if (this.#text === undefined || cells !== 1 || !isProcedural(codePoint)) return undefined;
    const coverage = coverageOf(codePoint, this.#parts.cell, isBold);
    if (coverage === undefined) return undefined;
    const slot = isBold ? this.#bold : this.#normal;
    const { width, height, alpha: pixels } = coverage;
    const image = { format: 'alpha', width, height, left: 0, top: this.#ascent, advance: width, pixels } as const;
    const isKept = this.#text.addGlyph('alpha', { id: codePoint | slot.variant, advance: width, image });
    return isKept ? slot : undefined;
  }

  draw({ style, x, y, width, height, characters }: Run, slot: Slot): void {
    this.#parts.graphics.fillPaper(style.background, x, y, width, height);
    const text = this.#text;
    if (text === undefined || style.foreground === style.background) return;
    const { variant } = slot as SmoothSlot;
    const { codes, count, advance } = characters;
    if (this.#ids.length < count) this.#ids = new Uint32Array(count);
    const ids = this.#ids;
    for (let index = 0; index < count; index += 1) {
      const code = codes[index] ?? BLANK;
      ids[index] = code <= BLANK ? BLANK : code | variant;
    }
    text.draw({
      glyphSet: text.setOf('alpha'),
      color: style.foreground,
      x,
      baseline: y + this.#ascent,
      ids,
      count,
      advance,
    });
  }

  release(): void {
    // The faces' glyphs are freed with them.
    this.#text?.clear();
  }
}

export const createFirstSmoothDrawer: CreateDrawer = (parts) => new SmoothProceduralDrawer(parts, 'first');
export const createFallbackSmoothDrawer: CreateDrawer = (parts) => new SmoothProceduralDrawer(parts, 'fallback');
