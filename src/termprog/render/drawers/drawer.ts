import type { SlotFonts } from '../../fonts/slot-fonts.ts';
import type { Graphics } from '../graphics.ts';
import type { CellSize } from '../rectangle.ts';
import type { Run } from '../run.ts';

/** The character to draw in a cell. */
export interface Glyph {
  /** Its first code point, composed if Unicode has a composed form. */
  codePoint: number;
  /** The code points that join the first one. */
  marks: readonly number[];
  isBold: boolean;
  isItalic: boolean;
  cells: 1 | 2;
}

/** A class of glyphs that one run can hold: same drawer, same font, same number of cells. */
export interface Slot {
  readonly drawer: Drawer;
  readonly cells: number;
  /** Blank cells may stand between its glyphs. */
  readonly takesBlanks: boolean;
  /** Ink may lie outside the cells, and is clipped to the cells of its run. */
  readonly overhangs: boolean;
  /** A run ends at cells that were never written or were erased: ink does not reach into them. */
  readonly endsAtErased?: boolean;
}

/** Draws one kind of glyph, for example those of a bitmap font. */
export interface Drawer {
  /** Returns the slot of the glyph; undefined when this drawer can't draw it. Called once per glyph. */
  slotFor(glyph: Glyph): Slot | undefined;
  /** Draws a run of glyphs that all have the same slot of this drawer, and their background. */
  draw(run: Run, slot: Slot): void;
  /**
   * Whether a glyph's ink lies outside its cells; called only for slots with `overhangs`. Without this method every
   * glyph of such a slot counts as overhanging.
   */
  overhangs?(codePoint: number, marks: readonly number[] | undefined, slot: Slot): boolean;
  /** Whether the X server holds so much for the drawer that all should be freed and sent again. */
  readonly isFull?: boolean;
  /** Frees its resources in the X server. */
  release(): void;
}

/** The parts that drawers use. */
export interface DrawerParts {
  graphics: Graphics;
  fonts: SlotFonts;
  cell: CellSize;
  /** Procedural glyphs take precedence over every font, also over outline fonts. */
  forcesProcedural: boolean;
  /** Reports that the fonts lack a character. */
  onMissing(): void;
}

export type CreateDrawer = (parts: DrawerParts) => Drawer;
