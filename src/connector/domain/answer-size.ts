import type { Entry } from './entry.ts';

/** Most bytes of entries in one answer: a longer answer costs a model more attention than another call. */
export const ANSWER_MAX_BYTES = 40_000;

/** Returns the first entries that fit one answer; always at least one, so that a reader makes progress. */
export function fittingEntries<E extends Entry>(entries: readonly E[], maxBytes = ANSWER_MAX_BYTES): E[] {
  let bytes = 0;
  const end = entries.findIndex((entry, index) => {
    bytes += Buffer.byteLength(JSON.stringify(entry));
    return index > 0 && bytes > maxBytes;
  });
  return end === -1 ? [...entries] : entries.slice(0, end);
}
