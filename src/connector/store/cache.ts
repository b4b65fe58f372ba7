import { SHARED_AGE_MS } from '../domain/limits.ts';
import type { Freshness, Invalidations, Topic } from '../ports/invalidations.ts';

/** Default bound: as many as people may have accounts, with a session each. */
const VALUES_MAX = 10_000;

export interface CacheBounds {
  /** Most values; one more evicts the oldest. */
  max?: number;
  /**
   * While other processes may change the data, every read asks the database: for data that a client changes at one
   * process and reads at another right after.
   */
  isStrict?: boolean;
}

interface Slot<V> {
  key: string;
  sources: readonly string[];
  /** Set while the value is being loaded, too: concurrent readers share the load. */
  value: Promise<V | undefined>;
  /** See `Freshness.alone`, when the load began. */
  period: number | undefined;
  /** Begin of the load, by `Freshness.sinceBoot`. */
  begunAt: number;
}

/**
 * Keeps values in memory until data that they were read from is invalidated. It spares the store a statement for what
 * nearly every call reads: account, session, consent, positions. A value whose load began before an invalidation goes
 * only to readers that had asked by then. While other processes may change the data, a value is at most half a second old: what
 * they change is not always reported here, and never in time for a reader that comes from them.
 */
export class Cache<V extends object, T extends Topic> {
  readonly #slots = new Map<string, Slot<V>>();
  readonly #bySource = new Map<string, Set<Slot<V>>>();
  readonly #freshness: Freshness;
  readonly #max: number;
  readonly #isStrict: boolean;

  constructor(
    invalidations: Invalidations,
    topics: readonly T[],
    { max = VALUES_MAX, isStrict = false }: CacheBounds = {},
  ) {
    this.#freshness = invalidations.freshness;
    this.#max = max;
    this.#isStrict = isStrict;
    for (const topic of topics) {
      invalidations.on(topic, (key) => (key === undefined ? this.#clear() : this.#forget(sourceOf(topic, key))));
    }
  }

  /**
   * Returns the value in memory, or loads it. A missing value is loaded again each time.
   * @param from topic → key of the data that the value is read from
   */
  read(key: string, from: Readonly<Record<T, string>>, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const known = this.known(key);
    if (known !== undefined) return known;
    if (!this.keeps) return load();
    const sources = Object.entries<string>(from).map(([topic, sourceKey]) => sourceOf(topic, sourceKey));
    const slot: Slot<V> = {
      ...{ key, sources, value: Promise.resolve(undefined) },
      ...{ period: this.#freshness.alone(), begunAt: this.#freshness.sinceBoot() },
    };
    this.#add(slot);
    slot.value = this.#load(slot, load);
    return slot.value;
  }

  /** Returns the value if it is in memory or being loaded, and not outdated. */
  known(key: string): Promise<V | undefined> | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined || this.#isFresh(slot)) return slot?.value;
    this.#remove(slot);
    return undefined;
  }

  /** Whether it keeps anything now. */
  get keeps(): boolean {
    return !this.#isStrict || this.#freshness.alone() !== undefined;
  }

  #isFresh({ period, begunAt }: Slot<V>): boolean {
    const present = this.#freshness.alone();
    if (present !== undefined) return period === present;
    return !this.#isStrict && this.#freshness.sinceBoot() - begunAt < SHARED_AGE_MS;
  }

  async #load(slot: Slot<V>, load: () => Promise<V | undefined>): Promise<V | undefined> {
    let value: V | undefined;
    try {
      value = await load();
      return value;
    } finally {
      // The value is missing, or loading it failed.
      if (value === undefined) this.#remove(slot);
    }
  }

  #add(slot: Slot<V>): void {
    const [oldest] = this.#slots.values();
    if (this.#slots.size >= this.#max && oldest !== undefined) this.#remove(oldest);
    this.#slots.set(slot.key, slot);
    for (const source of slot.sources) {
      const slots = this.#bySource.get(source) ?? new Set();
      this.#bySource.set(source, slots.add(slot));
    }
  }

  #forget(source: string): void {
    for (const slot of [...(this.#bySource.get(source) ?? [])]) this.#remove(slot);
  }

  #clear(): void {
    this.#slots.clear();
    this.#bySource.clear();
  }

  #remove(slot: Slot<V>): void {
    // A later load may have replaced it.
    if (this.#slots.get(slot.key) === slot) this.#slots.delete(slot.key);
    for (const source of slot.sources) {
      const slots = this.#bySource.get(source);
      slots?.delete(slot);
      if (slots?.size === 0) this.#bySource.delete(source);
    }
  }
}

const sourceOf = (topic: string, key: string): string => `${topic} ${key}`;
