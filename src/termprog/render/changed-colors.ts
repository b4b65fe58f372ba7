import { BACKGROUND, COLOR_INDEXED, COLOR_KIND_MASK, EXTRA, FOREGROUND } from '../engine/cell.ts';

const ANSI_ENTRIES = 16;

/**
 * Returns a test for cells whose look may change with these palette entries. It takes a line's words and the index of
 * the cell's first word.
 */
export function showsEntries(entries: ReadonlyMap<number, unknown>): (words: Uint32Array, at: number) => boolean {
  // The first sixteen entries stand for each other, in bold and in reversed text.
  const isAnsiChanged = [...entries.keys()].some((entry) => entry < ANSI_ENTRIES);
  const isChanged = (word = 0): boolean =>
    (word & COLOR_KIND_MASK) === COLOR_INDEXED &&
    ((word & 0xff) < ANSI_ENTRIES ? isAnsiChanged : entries.has(word & 0xff));
  // Cells with their own underline colour have a number in their last word.
  return (words, at) =>
    isChanged(words[at + FOREGROUND]) || isChanged(words[at + BACKGROUND]) || words[at + EXTRA] !== 0;
}
