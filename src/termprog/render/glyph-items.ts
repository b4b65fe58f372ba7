/** Number of the blank glyph, which every set contains. */
export const BLANK = 0x20;

/** Words of an item in addition to its glyphs: their count, and the offset of the first. */
export const ITEM_WORDS = 2;

/** Bytes per glyph number in a request; each has its own kind of request. */
export type NumberBytes = 1 | 2 | 4;

/** Returns the fewest bytes that hold all glyph numbers: plain text then takes a quarter of four bytes each. */
export function numberBytesOf(items: Uint32Array, length: number): NumberBytes {
  let bits = 0;
  for (let at = 0; at < length; ) {
    const end = at + ITEM_WORDS + (items[at] ?? 0);
    for (at += ITEM_WORDS; at < end; at += 1) bits |= items[at] ?? 0;
  }
  if (bits >>> 8 === 0) return 1;
  return bits >>> 16 === 0 ? 2 : 4;
}

/** Words of the items with `numberBytes` per glyph; the glyphs of each item are padded to whole words. */
export function packedWordsOf(items: Uint32Array, length: number, numberBytes: NumberBytes): number {
  if (numberBytes === 4) return length;
  let words = 0;
  for (let at = 0; at < length; ) {
    const count = items[at] ?? 0;
    words += ITEM_WORDS + Math.ceil((count * numberBytes) / 4);
    at += ITEM_WORDS + count;
  }
  return words;
}

/** Writes items from word `start` on. The input has four bytes per glyph number; the output has `numberBytes`. */
export function packItems(
  to: Uint32Array,
  start: number,
  { items, length, numberBytes }: { items: Uint32Array; length: number; numberBytes: NumberBytes },
): void {
  const perWord = 4 / numberBytes;
  const bits = 8 * numberBytes;
  let out = start;
  for (let at = 0; at < length; ) {
    const end = at + ITEM_WORDS + (items[at] ?? 0);
    to[out++] = items[at++] ?? 0;
    to[out++] = items[at++] ?? 0;
    while (at < end) {
      let word = 0;
      for (let index = 0; index < perWord && at < end; index += 1) word |= (items[at++] ?? 0) << (index * bits);
      to[out++] = word;
    }
  }
}
