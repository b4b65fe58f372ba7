/** Most keys counted at once; one more drops the oldest, so that memory stays bounded. */
const KEYS_MAX = 10_000;

/** Hits of one key, until its window ends. */
export interface Hits {
  hits: number;
  /** Wall clock, milliseconds since 1970. */
  endsAt: number;
}

/**
 * Counts the hits of each key in a window that begins with its first hit. The limits on requests and on fetched
 * documents rely on it.
 */
export class HitCounts {
  readonly #windowMs: number;
  readonly #now: () => number;
  readonly #counts = new Map<string, Hits>();

  /** @param now wall clock, milliseconds since 1970 */
  constructor(windowMs: number, now: () => number) {
    this.#windowMs = windowMs;
    this.#now = now;
  }

  hit(key: string): Readonly<Hits> {
    const count = this.#current(key) ?? this.#begin(key);
    count.hits += 1;
    return count;
  }

  /** Undefined for a key without a hit in its window. */
  of(key: string): Readonly<Hits> | undefined {
    return this.#current(key);
  }

  #current(key: string): Hits | undefined {
    const count = this.#counts.get(key);
    const now = this.#now();
    // A window that ends more than its own length from now began before the clock was set back.
    return count !== undefined && now < count.endsAt && count.endsAt <= now + this.#windowMs ? count : undefined;
  }

  #begin(key: string): Hits {
    const count = { hits: 0, endsAt: this.#now() + this.#windowMs };
    this.#counts.delete(key);
    const [oldest] = this.#counts.keys();
    if (oldest !== undefined && this.#counts.size >= KEYS_MAX) this.#counts.delete(oldest);
    this.#counts.set(key, count);
    return count;
  }
}
