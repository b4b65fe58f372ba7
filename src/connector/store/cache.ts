/** Values kept in memory; for a further one the oldest is forgotten. */
const VALUES_MAX = 2_000;

interface Reading {
  key: string;
  /** Whether something changed since it began: then what it reads may be outdated already. */
  isOutdated: boolean;
}

/**
 * Keeps read values in memory until they change. Every change must go through it, which holds because only one process
 * has the database.
 */
export class Cache<V extends object> {
  readonly #values = new Map<string, V>();
  readonly #readings = new Set<Reading>();

  /** The value in memory, else the one that `load` gives; `undefined` is not kept. */
  async read(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const reading: Reading = { key, isOutdated: false };
    this.#readings.add(reading);
    try {
      const value = await load();
      if (value !== undefined && !reading.isOutdated) this.#keep(key, value);
      return value;
    } finally {
      this.#readings.delete(reading);
    }
  }

  /** Makes a change and forgets all values. */
  change<T>(work: () => Promise<T>): Promise<T> {
    return this.#changing(undefined, work);
  }

  /** Makes a change that concerns one value, and forgets that. */
  changeOne<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#changing(key, work);
  }

  async #changing<T>(key: string | undefined, work: () => Promise<T>): Promise<T> {
    this.#forget(key);
    try {
      return await work();
    } finally {
      this.#forget(key);
    }
  }

  #keep(key: string, value: V): void {
    const [oldest] = this.#values.keys();
    if (this.#values.size >= VALUES_MAX && oldest !== undefined) this.#values.delete(oldest);
    this.#values.set(key, value);
  }

  #forget(key: string | undefined): void {
    if (key === undefined) this.#values.clear();
    else this.#values.delete(key);
    for (const reading of this.#readings) {
      if (key === undefined || reading.key === key) reading.isOutdated = true;
    }
  }
}
