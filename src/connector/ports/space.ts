/** The room that deleted texts had in the database, and what is left of them there. */
export interface SpaceStore {
  /**
   * Gives room back to the disk, and overwrites what was deleted. After each step of some milliseconds it yields, so that other
   * work can run; who takes no further step ends it. Nothing of what was deleted before is in the files when it returns.
   * @param index also rewrites the search index where it still has grams of deleted texts
   * @throws Error where another program reads an earlier state of the database
   */
  giveBack(parts: { index: boolean }): AsyncIterable<void>;
}
