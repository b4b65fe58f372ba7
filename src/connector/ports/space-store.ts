/** Gives back the room of deleted texts in the database, and erases their remains. */
export interface SpaceStore {
  /**
   * Gives room back to the disk, and overwrites deleted texts. It yields after each step of some milliseconds, so that
   * other work can run; a caller may stop at any step. When it returns, no text that was deleted before is left in the
   * files.
   * @param index also rewrites the search index if it still has grams of deleted texts
   * @throws Error if another program reads an earlier state of the database
   */
  giveBack(parts: { index: boolean }): AsyncIterable<void>;
}
