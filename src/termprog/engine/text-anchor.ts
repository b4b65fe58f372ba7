/**
 * A place in the text that stays at its character when lines scroll and when they are broken anew for another number of
 * columns.
 */
export interface TextAnchor {
  /** The first row of the line of text, by its id. */
  lineId: number;
  /** Cells from the beginning of that line; it may be behind the last one. */
  offset: number;
}
