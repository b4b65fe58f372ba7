import type { Characters } from './graphics.ts';
import type { TextStyle } from './text-style.ts';

/** Neighbouring glyphs of one style and one slot. One object is reused for all runs. */
export interface Run {
  style: TextStyle;
  /** Position and size in pixels of the window. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** First code points; a blank is a space. `advance` is the distance between glyphs in pixels. */
  characters: Characters;
  /** Code points that join the glyph of the same index; valid only if `hasMarks`. */
  marks: (readonly number[] | undefined)[];
  hasMarks: boolean;
}
