/** Values kept in memory, of what is asked for with every call. More than this are forgotten, the oldest first. */
const KEPT_MAX = 2_000;

/**
 * What was read, until it changes. Right as long as every change goes through it: one process alone has the database.
 */
export class KeptReads<V extends object> {
  readonly #values = new Map<string, V>();
  /** Counts changes: what was read while one was under way may be outdated already. */
  #changes = 0;

  /** What `load` gives, or gave before; nothing is kept of what is not there. */
  async read(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const kept = this.#values.get(key);
    if (kept !== undefined) return kept;
    const changes = this.#changes;
    const value = await load();
    if (value !== undefined && changes === this.#changes) this.#keep(key, value);
    return value;
  }

  /** Makes a change, after which everything is read again. */
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
