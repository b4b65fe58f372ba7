import type { SlotFonts } from '../../fonts/slot-fonts.ts';
import type { Graphics } from '../graphics.ts';
import type { CellSize } from '../rectangle.ts';
import type { Run } from '../run.ts';

/** The character to draw in a cell. */
export interface Glyph {
  /** Its first code point, composed where Unicode has a composed form. */
  codePoint: number;
  /** The code points that join the first one. */
  marks: readonly number[];
  isBold: boolean;
  isItalic: boolean;
  cells: 1 | 2;
}

/** Glyphs that one run can hold: same drawer, same font, same number of cells. */
export interface Slot {
  readonly drawer: Drawer;
  readonly cells: number;
  /** Blank cells may stand between its glyphs. */
  readonly takesBlanks: boolean;
  /** Ink may lie outside of the cells, and is clipped to those of its run. */
  readonly overhangs: boolean;
  /** Cells that were never written, or were erased, are not drawn with text: ink does not reach into them. */
  readonly endsAtErased?: boolean;
}

/** A way to draw glyphs. */
export interface Drawer {
  /** The slot of the glyph; undefined when this drawer can't draw it. Called once for each glyph. */
  slotFor(glyph: Glyph): Slot | undefined;
  /** Draws a run of glyphs that all got the same slot of this drawer, and their background. */
  draw(run: Run, slot: Slot): void;
  /**
   * Whether ink of a glyph lies outside of its cells; asked only for slots that have such glyphs. Without it, that of
   * any glyph of the slot may.
   */
  overhangs?(codePoint: number, marks: readonly number[] | undefined, slot: Slot): boolean;
  /** The X server holds so much for it that it is time to begin anew. */
  readonly isFull?: boolean;
  /** Frees its resources in the X server. */
  release(): void;
}

/** The parts that drawers use. */
export interface DrawerParts {
  graphics: Graphics;
  fonts: SlotFonts;
  cell: CellSize;
  /** Procedural glyphs stand before every font, also before outline fonts. */
  forcesProcedural: boolean;
  /** The fonts lack a character. */
  onMissing(): void;
}

export type CreateDrawer = (parts: DrawerParts) => Drawer;
