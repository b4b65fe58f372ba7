import { BACKGROUND, COLOR_INDEXED, COLOR_KIND_MASK, EXTRA, FOREGROUND } from '../engine/cell.ts';

const ANSI_ENTRIES = 16;

/**
 * Whether a cell looks different after a change of entries of the palette, or may do so: for the words of cells, and the
 * index of the cell's first.
 */
export function showsEntries(entries: ReadonlyMap<number, unknown>): (words: Uint32Array, at: number) => boolean {
  // The first sixteen stand for each other: bold ones for dark ones, and reversed ones.
  const isAnsiChanged = [...entries.keys()].some((entry) => entry < ANSI_ENTRIES);
  const isChanged = (word = 0): boolean =>
    (word & COLOR_KIND_MASK) === COLOR_INDEXED &&
    ((word & 0xff) < ANSI_ENTRIES ? isAnsiChanged : entries.has(word & 0xff));
  // Cells with an own colour of underlines have a number in their last word.
  return (words, at) =>
    isChanged(words[at + FOREGROUND]) || isChanged(words[at + BACKGROUND]) || words[at + EXTRA] !== 0;
}
