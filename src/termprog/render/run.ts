import type { Characters } from './graphics.ts';
import type { TextStyle } from './text-style.ts';

/** Neighbouring glyphs of one style and one slot. One object is used for all runs. */
export interface Run {
  style: TextStyle;
  /** In pixels of the window. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** First code points; a blank is a space. `advance` is the pixels from one glyph to the next. */
  characters: Characters;
  /** What joins the glyph of the same index; looked at only when `hasMarks`. */
  marks: (readonly number[] | undefined)[];
  hasMarks: boolean;
}
