import { type Line, Places } from './places.ts';

/**
 * Limits the work at once for each host, or each account: one that takes all its places leaves those of the others
 * free. Searches, webhooks and their verification rely on it.
 */
export class PlacesByKey {
  readonly #count: number;
  readonly #line: Line | undefined;
  readonly #places = new Map<string, Places>();

  /** @param line bounds of each key's line; without it all may wait, and the caller bounds their number */
  constructor(count: number, line?: Line) {
    this.#count = count;
    this.#line = line;
  }

  /** @throws the refusal of the line */
  async use<T>(key: string, work: () => Promise<T>): Promise<T> {
    const places = this.#places.get(key) ?? new Places(this.#count, this.#line);
    this.#places.set(key, places);
    try {
      return await places.use(work);
    } finally {
      if (places.isIdle) this.#places.delete(key);
    }
  }
}
