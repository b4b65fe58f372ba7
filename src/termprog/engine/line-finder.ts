import type { LineRing } from './line-ring.ts';

/** The most lines whose place is remembered; those of a selection, of prompts in the view and of matches are fewer. */
const REMEMBERED_MAX = 1_024;

/** Lines around the remembered place that are searched first: lines move a little when a region scrolls. */
const NEAR_LINES = 64;

/** Finds lines by their ids. */
export class LineFinder {
  /** The line's index plus the number of lines dropped before, by the line's id; see `LineRing.dropped`. */
  readonly #places = new Map<number, number>();

  /** Returns the line's index; undefined if the line is gone. */
  indexOf(lineId: number, lines: LineRing): number | undefined {
    const place = this.#places.get(lineId);
    const near = place === undefined ? undefined : this.#near(lineId, lines, place - lines.dropped);
    const index = near ?? search(lineId, lines, 0, lines.length - 1);
    if (index === undefined) this.#places.delete(lineId);
    else {
      if (this.#places.size >= REMEMBERED_MAX) this.#places.clear();
      this.#places.set(lineId, index + lines.dropped);
    }
    return index;
  }

  #near(lineId: number, lines: LineRing, expected: number): number | undefined {
    if (expected >= 0 && expected < lines.length && lines.at(expected).id === lineId) return expected;
    const last = Math.min(lines.length - 1, expected + NEAR_LINES);
    return search(lineId, lines, Math.max(0, expected - NEAR_LINES), last);
  }
}

function search(lineId: number, lines: LineRing, first: number, last: number): number | undefined {
  for (let index = last; index >= first; index -= 1) if (lines.at(index).id === lineId) return index;
  return undefined;
}
