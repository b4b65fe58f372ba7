/**
 * How a cell of the screen is stored: four 32-bit words in a row, so that a line is one typed array that can be
 * compared, copied and shifted without knowing what it means.
 *
 *   word 0  content     bits 0-20 code point, or the cluster's number where CLUSTER is set; then flags
 *   word 1  foreground  bits 0-23 value, 24-25 kind of colour; above them BOLD to INVISIBLE
 *   word 2  background  bits 0-23 value, 24-25 kind of colour; above them STRIKETHROUGH, OVERLINE, underline style
 *   word 3  extra       number of the cell's underline colour and link in the engine's table of extras; 0 without both
 *
 * A cell without text has content 0; its colours are those of its last erasure.
 */

export const WORDS_PER_CELL = 4;
export const CONTENT = 0;
export const FOREGROUND = 1;
export const BACKGROUND = 2;
export const EXTRA = 3;

/** Bits of the content word. */
export const CODE_MASK = 0x1f_ffff;
/** The cell holds more than one code point: `CODE_MASK` is the number of its cluster. */
export const CLUSTER = 1 << 21;
/** First cell of a character two cells wide. */
export const WIDE = 1 << 22;
/** Second cell of such a character; it contains no character itself. */
export const CONTINUATION = 1 << 23;
/** Selective erasure does not erase the cell; DECSCA. */
export const PROTECTED = 1 << 24;
/** Plain erasure does not erase the cell; SPA and EPA. */
export const GUARDED = 1 << 25;

/** Colours, in the words of foreground and background and in `Extra.underlineColor`. */
export const COLOR_VALUE_MASK = 0xff_ffff;
export const COLOR_KIND_MASK = 3 << 24;
/** The value is an entry of the palette. */
export const COLOR_INDEXED = 1 << 24;
/** The value is red, green and blue. */
export const COLOR_RGB = 2 << 24;
/** Kind and value together; 0 is the default colour. */
export const COLOR_MASK = COLOR_KIND_MASK | COLOR_VALUE_MASK;

/** Bits of the foreground word above its colour. */
export const BOLD = 1 << 26;
export const DIM = 1 << 27;
export const ITALIC = 1 << 28;
export const BLINK = 1 << 29;
export const INVERSE = 1 << 30;
export const INVISIBLE = 1 << 31;

/** Bits of the background word above its colour. */
export const STRIKETHROUGH = 1 << 26;
export const OVERLINE = 1 << 27;
export const UNDERLINE_SHIFT = 28;
export const UNDERLINE_MASK = 7 << UNDERLINE_SHIFT;

/** Values of the underline style; ECMA-48 SGR 4 with the sub-parameters that terminals agree on. */
export const UNDERLINE = { none: 0, single: 1, double: 2, curly: 3, dotted: 4, dashed: 5 } as const;

/** Attributes that only few cells have. */
export interface Extra {
  /** A colour word; 0 means the colour of the text. */
  underlineColor: number;
  link: Link | undefined;
}

/** A hyperlink; OSC 8. */
export interface Link {
  uri: string;
  /** The id that the cells of one link share; empty if the application gave no id. */
  id: string;
}

/** One line of the screen or of the history. Readers never change it. */
export interface CellLine {
  /**
   * The line's id. It stays the same when the line scrolls into the history and when the screen is resized, and is
   * never reused.
   */
  readonly id: number;
  /**
   * The line's words, `WORDS_PER_CELL` for each cell. A line of the history may have more cells than columns, or fewer;
   * missing cells are blank.
   */
  readonly words: Uint32Array;
  /** The text goes on in the next line, because it reached the last column. */
  readonly isWrapped: boolean;
  /** Cells of a wrapped row that belong to its text, unless those are the whole row; 0 or undefined if they are. */
  readonly wrapCells?: number;
}
