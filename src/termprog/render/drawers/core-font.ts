import type { CoreFont } from '../../fonts/core-font.ts';
import type { FontSet } from '../../fonts/font-set.ts';
import type { SlotFonts } from '../../fonts/slot-fonts.ts';
import type { Characters } from '../graphics.ts';
import type { Run } from '../run.ts';
import type { CreateDrawer, Drawer, DrawerParts, Glyph, Slot } from './drawer.ts';

interface FontSlot extends Slot {
  font: CoreFont;
  /** Drawn twice, one pixel apart, because there is no bold font. */
  isOverstruck: boolean;
}

const BLANK = 0x20;

/** Text by the X server's bitmap fonts. Italic text is upright, as in the reference terminal. */
class CoreFontDrawer implements Drawer {
  readonly #parts: DrawerParts;
  readonly #fonts: FontSet | undefined;
  readonly #slots: FontSlot[] = [];
  readonly #mark: Characters = { codes: new Uint32Array(1), count: 1, isTwoByte: true, advance: 0 };

  constructor(parts: DrawerParts) {
    this.#parts = parts;
    this.#fonts = parts.fonts.kind === 'bitmap' ? parts.fonts.set : undefined;
  }

  slotFor(glyph: Glyph): Slot | undefined {
    if (this.#fonts === undefined) return undefined;
    const slot = this.#find(glyph, this.#fonts);
    if (slot === undefined) this.#parts.onMissing();
    return slot;
  }

  #find(
    { codePoint, isBold, cells }: Glyph,
    { normal, bold, normalUnicode, boldUnicode, wide }: FontSet,
  ): Slot | undefined {
    const main = isBold ? (bold ?? normal) : normal;
    if (codePoint <= BLANK) return this.#slot(main, 1, false);
    // Wide text has no bold form, as in the reference terminal.
    if (cells === 2) return wide?.has(codePoint) ? this.#slot(wide, 2, false) : undefined;
    if (main.has(codePoint)) return this.#slot(main, 1, isBold && bold === undefined);
    if (isBold && boldUnicode?.has(codePoint)) return this.#slot(boldUnicode, 1, false);
    return normalUnicode?.has(codePoint) ? this.#slot(normalUnicode, 1, isBold) : undefined;
  }

  draw(run: Run, slot: Slot): void {
    const { graphics } = this.#parts;
    const { font, isOverstruck } = slot as FontSlot;
    const { style, x, y, characters } = run;
    const baseline = y + font.ascent;
    if (slot.overhangs) graphics.startClipping(run);
    graphics.imageText(font, style, x, baseline, characters);
    if (isOverstruck) graphics.overlayText(font, style, x + 1, baseline, characters);
    if (run.hasMarks) this.#drawMarks(run, baseline);
    if (slot.overhangs) graphics.endClipping();
  }

  release(): void {
    this.#slots.length = 0;
  }

  /** Draws combining marks, if the font's Unicode form has them. */
  #drawMarks({ style, x, characters, marks }: Run, baseline: number): void {
    const { graphics } = this.#parts;
    const font = this.#fonts?.normalUnicode;
    if (font === undefined) return;
    for (let index = 0; index < characters.count; index += 1) {
      for (const mark of marks[index] ?? []) {
        if (!font.has(mark)) continue;
        this.#mark.codes[0] = mark;
        graphics.overlayText(font, style, x + index * characters.advance, baseline, this.#mark);
      }
    }
  }

  #slot(font: CoreFont, cells: number, isOverstruck: boolean): Slot {
    const known = this.#slots.find((slot) => slot.font === font && slot.isOverstruck === isOverstruck);
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

/** Which text may have ink outside of its cells: none, bold text that is drawn twice, or any. */
export function overhangOf(fonts: SlotFonts): 'none' | 'bold' | 'any' {
  if (fonts.kind === 'outline') return 'any';
  const { normal, bold, normalUnicode, boldUnicode, wide } = fonts.set;
  const isAny = [normal, bold, normalUnicode, boldUnicode, wide].some((font) => font?.overhangs === true);
  if (isAny) return 'any';
  return bold === undefined || normalUnicode !== undefined ? 'bold' : 'none';
}

export const createCoreFontDrawer: CreateDrawer = (parts) => new CoreFontDrawer(parts);
