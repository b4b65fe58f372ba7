/** Values kept in memory; for a further one the oldest is forgotten. */
const KEPT_MAX = 2_000;

/**
 * Keeps read values in memory until they change. Every change must go through it, which holds because only one process
 * has the database.
 */
export class Cache<V extends object> {
  readonly #values = new Map<string, V>();
  /** Counts changes: a value read during a change may be outdated already. */
  #changes = 0;

  /** The kept value, else the one that `load` gives; `undefined` is not kept. */
  async read(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const kept = this.#values.get(key);
    if (kept !== undefined) return kept;
    const changes = this.#changes;
    const value = await load();
    if (value !== undefined && changes === this.#changes) this.#keep(key, value);
    return value;
  }

  /** Makes a change and forgets all values. */
  async change<T>(work: () => Promise<T>): Promise<T> {
    this.#forget();
    try {
      return await work();
    } finally {
      this.#forget();
    }
  }

  #keep(key: string, value: V): void {
    const [oldest] = this.#values.keys();
    if (this.#values.size >= KEPT_MAX && oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(key, value);
  }

  #forget(): void {
    this.#changes += 1;
    this.#values.clear();
  }
}
