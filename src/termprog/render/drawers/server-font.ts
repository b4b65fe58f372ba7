import type { CoreFont } from '../../fonts/core-font.ts';
import type { FontSet } from '../../fonts/font-set.ts';
import type { SlotFonts } from '../../fonts/slot-fonts.ts';
import type { Characters } from '../graphics.ts';
import type { Run } from '../run.ts';
import type { CreateDrawer, Drawer, DrawerParts, Glyph, Slot } from './drawer.ts';

/** A font of the server with the way in which it is drawn. */
interface FontSlot extends Slot {
  font: CoreFont;
  /** Drawn twice, one pixel apart, because there is no bold font. */
  isOverstruck: boolean;
}

const BLANK = 0x20;

/** Draws text in the X server's bitmap fonts. Italic text is upright, as in the reference terminal. */
class CoreFontDrawer implements Drawer {
  readonly #parts: DrawerParts;
  readonly #fonts: FontSet | undefined;
  readonly #slots: FontSlot[] = [];
  readonly #single: Characters = { codes: new Uint32Array(1), count: 1, isTwoByte: true, advance: 0 };

  constructor(parts: DrawerParts) {
    this.#parts = parts;
    this.#fonts = parts.fonts.kind === 'bitmap' ? parts.fonts.set : undefined;
  }

  slotFor(glyph: Glyph): Slot | undefined {
    if (this.#fonts === undefined) return undefined;
    const slot = this.#find(glyph, this.#fonts);
    const isWhole = slot !== undefined && glyph.marks.every((mark) => this.#fontOfMark(mark, slot) !== undefined);
    if (!isWhole) this.#parts.onMissing();
    return slot;
  }

  #find({ codePoint, isBold, cells }: Glyph, fonts: FontSet): FontSlot | undefined {
    const { normal, bold, normalUnicode, boldUnicode, wide, wideBold } = fonts;
    const main = isBold ? (bold ?? normal) : normal;
    if (codePoint <= BLANK) return this.#slot(main, 1, false);
    if (cells === 2) {
      if (isBold && wideBold?.has(codePoint)) return this.#slot(wideBold, 2, false);
      // If text has a bold font and wide text does not, wide text stays light, as in the reference terminal.
      return wide?.has(codePoint) ? this.#slot(wide, 2, isBold && bold === undefined) : undefined;
    }
    if (main.has(codePoint)) return this.#slot(main, 1, isBold && bold === undefined);
    if (isBold && boldUnicode?.has(codePoint)) return this.#slot(boldUnicode, 1, false);
    // Bold fonts have fewer characters than others.
    const light = [normalUnicode, normal].find((font) => font?.has(codePoint));
    return light && this.#slot(light, 1, isBold);
  }

  draw(run: Run, slot: Slot): void {
    const { graphics } = this.#parts;
    const { font, isOverstruck } = slot as FontSlot;
    const { style, x, y, characters } = run;
    const baseline = y + font.ascent;
    if (slot.overhangs) graphics.startClipping(run);
    if (font.widthOf !== undefined) this.#drawApart(run, font.widthOf, baseline, slot as FontSlot);
    else {
      graphics.imageText(font, style, x, baseline, characters);
      if (isOverstruck) graphics.overlayText(font, style, x + 1, baseline, characters);
    }
    if (run.hasMarks) this.#drawMarks(run, baseline, slot as FontSlot);
    if (slot.overhangs) graphics.endClipping();
  }

  release(): void {
    this.#slots.length = 0;
  }

  /** Draws characters of different widths one by one, each in the middle of its cell. */
  #drawApart(
    run: Run,
    widthOf: (codePoint: number) => number,
    baseline: number,
    { font, isOverstruck }: FontSlot,
  ): void {
    const { graphics } = this.#parts;
    const { style, x, y, width, height, characters } = run;
    const { codes, count, advance } = characters;
    graphics.fillPaper(style.background, x, y, width, height);
    for (let index = 0; index < count; index += 1) {
      const code = codes[index] ?? BLANK;
      if (code === BLANK) continue;
      const left = x + index * advance + Math.max(0, (advance - widthOf(code)) >> 1);
      this.#single.codes[0] = code;
      graphics.overlayText(font, style, left, baseline, this.#single);
      if (isOverstruck) graphics.overlayText(font, style, left + 1, baseline, this.#single);
    }
  }

  /** Draws those combining marks that some font contains. */
  #drawMarks({ style, x, characters, marks }: Run, baseline: number, slot: FontSlot): void {
    const { graphics } = this.#parts;
    for (let index = 0; index < characters.count; index += 1) {
      for (const mark of marks[index] ?? []) {
        const font = this.#fontOfMark(mark, slot);
        if (font === undefined) continue;
        this.#single.codes[0] = mark;
        graphics.overlayText(font, style, x + index * characters.advance, baseline, this.#single);
      }
    }
  }

  /** Returns the font for a mark, preferably that of its base character. */
  #fontOfMark(mark: number, { font }: FontSlot): CoreFont | undefined {
    return [font, this.#fonts?.normalUnicode, this.#fonts?.normal].find((candidate) => candidate?.has(mark));
  }

  #slot(font: CoreFont, cells: number, isOverstruck: boolean): FontSlot {
    const known = this.#slots.find(
      (slot) => slot.font === font && slot.cells === cells && slot.isOverstruck === isOverstruck,
    );
    if (known !== undefined) return known;
    const slot: FontSlot = {
      drawer: this,
      font,
      cells,
      isOverstruck,
      takesBlanks: cells === 1 && font.has(BLANK),
      overhangs: isOverstruck || font.overhangs,
    };
    this.#slots.push(slot);
    return slot;
  }
}

/** Which text may have ink outside its cells: no text, bold text that is drawn twice, or any text. */
export function overhangOf(fonts: SlotFonts): 'none' | 'bold' | 'any' {
  if (fonts.kind === 'outline') return 'any';
  const { normal, bold, normalUnicode } = fonts.set;
  const isAny = Object.values(fonts.set).some((font: CoreFont | undefined) => font?.overhangs === true);
  if (isAny) return 'any';
  return bold === undefined || normalUnicode !== undefined || !hasAllOf(bold, normal) ? 'bold' : 'none';
}

function hasAllOf(font: CoreFont, other: CoreFont): boolean {
  return other.covered.every((bits, at) => (bits & ~(font.covered[at] ?? 0)) === 0);
}

export const createCoreFontDrawer: CreateDrawer = (parts) => new CoreFontDrawer(parts);
