/**
 * A place in the text that stays at its character when lines scroll and when they are broken again for another number
 * of columns.
 */
export interface TextAnchor {
  /** The id of the first row of the line of text. */
  lineId: number;
  /** Cells from the beginning of that line; the place may be after the last one. */
  offset: number;
}
