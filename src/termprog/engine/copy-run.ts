import { CONTINUATION, WIDE, WORDS_PER_CELL } from './cell.ts';
import type { Pen } from './pen.ts';

/** Returns how many characters from `start` on are below `limit`. */
export function countRun(data: Uint32Array, start: number, end: number, limit: number): number {
  let at = start;
  while (at < end && (data[at] as number) < limit) at += 1;
  return at - start;
}

interface Destination {
  words: Uint32Array;
  column: number;
  /** The run ends before the first character that is not below this. */
  limit: number;
}

/** Copies characters into cells that have no style; returns where it ended. */
export function copyPlain(
  data: Uint32Array,
  start: number,
  end: number,
  { words, column, limit }: Destination,
): number {
  let at = start;
  for (let to = column * WORDS_PER_CELL; at < end; at += 1, to += WORDS_PER_CELL) {
    const code = data[at] as number;
    if (code >= limit) break;
    words[to] = code;
  }
  return at;
}

export function copyStyled(
  data: Uint32Array,
  start: number,
  end: number,
  { words, column, limit, pen }: Destination & { pen: Pen },
): number {
  const { foreground, background, extra, protection } = pen;
  let at = start;
  for (let to = column * WORDS_PER_CELL; at < end; at += 1, to += WORDS_PER_CELL) {
    const code = data[at] as number;
    if (code >= limit) break;
    words[to] = code | protection;
    words[to + 1] = foreground;
    words[to + 2] = background;
    words[to + 3] = extra;
  }
  return at;
}

/** Copies characters of two cells each into cells that have no style. */
export function copyPlainWide(
  data: Uint32Array,
  start: number,
  end: number,
  { words, column }: Omit<Destination, 'limit'>,
): void {
  for (let at = start, to = column * WORDS_PER_CELL; at < end; at += 1, to += 2 * WORDS_PER_CELL) {
    words[to] = (data[at] as number) | WIDE;
    words[to + WORDS_PER_CELL] = CONTINUATION;
  }
}

export function copyStyledWide(
  data: Uint32Array,
  start: number,
  end: number,
  { words, column, pen }: Omit<Destination, 'limit'> & { pen: Pen },
): void {
  const { foreground, background, extra, protection } = pen;
  for (let at = start, to = column * WORDS_PER_CELL; at < end; at += 1, to += 2 * WORDS_PER_CELL) {
    words[to] = (data[at] as number) | protection | WIDE;
    words[to + WORDS_PER_CELL] = CONTINUATION | protection;
    for (let word = to; word <= to + WORDS_PER_CELL; word += WORDS_PER_CELL) {
      words[word + 1] = foreground;
      words[word + 2] = background;
      words[word + 3] = extra;
    }
  }
}

/**
 * Writes one character into its cells.
 * @param to index of the first cell's first word
 * @param cells 1 or 2
 */
export function writeCharacter(words: Uint32Array, to: number, code: number, cells: number, pen: Pen): void {
  const { foreground, background, extra, protection } = pen;
  words[to] = code | protection | (cells === 2 ? WIDE : 0);
  for (let word = to, last = to + (cells - 1) * WORDS_PER_CELL; ; word += WORDS_PER_CELL) {
    words[word + 1] = foreground;
    words[word + 2] = background;
    words[word + 3] = extra;
    if (word === last) return;
    words[word + WORDS_PER_CELL] = CONTINUATION | protection;
  }
}
