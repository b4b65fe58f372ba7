import { type Line, Places } from './places.ts';

/** Places of each host, or of each account: one that takes all of its own leaves those of the others alone. */
export class PlacesByKey {
  readonly #count: number;
  readonly #line: Line | undefined;
  readonly #places = new Map<string, Places>();

  /** @param line of each; without it all may wait, and whoever begins the work bounds how many do */
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
