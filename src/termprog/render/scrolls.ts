import type { Scroll } from '../engine/damage.ts';

/** More scrolls than this cost more than painting their rows. */
const SCROLLS_MAX = 16;

/**
 * Reduces the scrolls: consecutive scrolls of the same rows in the same direction become one. If too many remain, they
 * become one scroll over all their rows by the full height, so that all of these are painted.
 */
export function joinScrolls(scrolls: readonly Scroll[]): readonly Scroll[] {
  if (scrolls.length < 2) return scrolls;
  const joined: Scroll[] = [];
  for (const { top, bottom, lines } of scrolls) {
    const last = joined.at(-1);
    if (last?.top === top && last.bottom === bottom && Math.sign(last.lines) === Math.sign(lines)) last.lines += lines;
    else joined.push({ top, bottom, lines });
  }
  if (joined.length <= SCROLLS_MAX) return joined;
  const top = Math.min(...joined.map((scroll) => scroll.top));
  const bottom = Math.max(...joined.map((scroll) => scroll.bottom));
  return [{ top, bottom, lines: bottom - top + 1 }];
}
