import type { Invalidations, Topic } from '../ports/invalidations.ts';

/** Enough for as many people as may have an account, and for a session of each. */
const VALUES_MAX = 10_000;

export interface CacheBounds {
  /** For a further value the oldest is forgotten. */
  max: number;
}

interface Slot<V> {
  key: string;
  sources: readonly string[];
  /** While it is being read, too: whoever asks meanwhile waits for the same. */
  value: Promise<V | undefined>;
}

/**
 * Values in memory, until something that they were read from changes. A value whose reading began before such a change
 * was told is given to those who had asked by then, and to nobody else.
 */
export class Cache<V extends object, T extends Topic> {
  readonly #slots = new Map<string, Slot<V>>();
  readonly #bySource = new Map<string, Set<Slot<V>>>();
  readonly #max: number;

  constructor(invalidations: Invalidations, topics: readonly T[], { max }: CacheBounds = { max: VALUES_MAX }) {
    this.#max = max;
    for (const topic of topics) invalidations.on(topic, (key) => this.#forget(sourceOf(topic, key)));
  }

  /**
   * The value in memory, else the one that `load` gives. What is missing is asked for each time.
   * @param from of each topic the key of what the value is read from
   */
  read(key: string, from: Readonly<Record<T, string>>, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const known = this.known(key);
    if (known !== undefined) return known;
    const sources = Object.entries<string>(from).map(([topic, sourceKey]) => sourceOf(topic, sourceKey));
    const slot: Slot<V> = { key, sources, value: Promise.resolve(undefined) };
    this.#add(slot);
    slot.value = this.#load(slot, load);
    return slot.value;
  }

  /** The value if it is in memory, or on its way there. */
  known(key: string): Promise<V | undefined> | undefined {
    return this.#slots.get(key)?.value;
  }

  async #load(slot: Slot<V>, load: () => Promise<V | undefined>): Promise<V | undefined> {
    let value: V | undefined;
    try {
      value = await load();
      return value;
    } finally {
      // Missing, or not readable.
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

  #remove(slot: Slot<V>): void {
    // A later reading may have taken its place.
    if (this.#slots.get(slot.key) === slot) this.#slots.delete(slot.key);
    for (const source of slot.sources) {
      const slots = this.#bySource.get(source);
      slots?.delete(slot);
      if (slots?.size === 0) this.#bySource.delete(source);
    }
  }
}

const sourceOf = (topic: string, key: string): string => `${topic} ${key}`;
