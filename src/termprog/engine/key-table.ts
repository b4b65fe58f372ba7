/** Slots of a new table; always a power of two. */
const FIRST_SLOTS = 1_024;

/** Most slots that a search looks at, so that text which was made to collide can't slow the table down. */
const PROBES_MAX = 512;

/**
 * Text → number, for keys that come and go by the million. A `Map` makes a new table of hundreds of kilobytes after as
 * many changes as it has room for: with output full of new clusters these were most of the garbage that V8 keeps
 * longest. This one changes in place, and allocates only when it grows: open addressing, at most half full. Hashes
 * begin with a number that a program in the terminal does not know, so that its text can't fill one row of slots.
 */
export class KeyTable {
  readonly #basis: number;
  /** Slot → number; 0 for a free slot. A number stands as near after the slot of its hash as there was room. */
  #slots = new Int32Array(FIRST_SLOTS);
  #hashes = new Int32Array(FIRST_SLOTS);
  /** Number → key. */
  readonly #keys: (string | undefined)[] = [undefined];
  #size = 0;

  /** @param basis what hashes begin with; a random number without it */
  constructor({ basis = Math.floor(Math.random() * 2 ** 32) }: { basis?: number } = {}) {
    this.#basis = basis;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the number of a key; 0 if it has none. */
  get(key: string): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hash = hashOf(key, this.#basis);
    for (let probe = 0, slot = hash & mask; probe < PROBES_MAX; probe += 1, slot = (slot + 1) & mask) {
      const number = slots[slot] ?? 0;
      if (number === 0 || (this.#hashes[number] === hash && this.#keys[number] === key)) return number;
    }
    return 0;
  }

  /**
   * Gives a key that is not in the table a number above 0 that no other key has.
   * @returns false if there is no room because too many other keys have similar hashes
   */
  add(key: string, number: number): boolean {
    if (2 * (this.#size + 1) > this.#slots.length) this.#grow();
    const hash = hashOf(key, this.#basis);
    if (!insert(this.#slots, hash, number)) return false;
    if (number >= this.#hashes.length) this.#hashes = longer(this.#hashes, number);
    this.#hashes[number] = hash;
    this.#keys[number] = key;
    this.#size += 1;
    return true;
  }

  /** Returns the key of a number; undefined if it is free. */
  keyOf(number: number): string | undefined {
    return this.#keys[number];
  }

  /** Removes the key of a number; the numbers after it move up. */
  delete(number: number): void {
    if (this.#keys[number] === undefined) return;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hole = (this.#hashes[number] ?? 0) & mask;
    while (slots[hole] !== number) hole = (hole + 1) & mask;
    for (let slot = (hole + 1) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const other = slots[slot] ?? 0;
      const wanted = (this.#hashes[other] ?? 0) & mask;
      if (((slot - wanted) & mask) < ((slot - hole) & mask)) continue;
      slots[hole] = other;
      hole = slot;
    }
    slots[hole] = 0;
    this.#keys[number] = undefined;
    this.#size -= 1;
  }

  /** Removes the keys of all numbers without a mark, in time proportional to the size of the table. */
  keepOnly(marks: Uint8Array): void {
    const slots = this.#slots.fill(0);
    for (let number = 1; number < this.#keys.length; number += 1) {
      if (this.#keys[number] === undefined) continue;
      if (marks[number] === 1) insert(slots, this.#hashes[number] ?? 0, number, slots.length);
      else {
        this.#keys[number] = undefined;
        this.#size -= 1;
      }
    }
  }

  #grow(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    for (const number of this.#slots) if (number !== 0) insert(slots, this.#hashes[number] ?? 0, number, slots.length);
    this.#slots = slots;
  }
}

/** Puts a number into the first free slot from that of its hash on; returns false if too many are taken. */
function insert(slots: Int32Array, hash: number, number: number, probes = PROBES_MAX): boolean {
  const mask = slots.length - 1;
  for (let probe = 0, slot = hash & mask; probe < probes; probe += 1, slot = (slot + 1) & mask) {
    if (slots[slot] !== 0) continue;
    slots[slot] = number;
    return true;
  }
  return false;
}

function longer(hashes: Int32Array, number: number): Int32Array<ArrayBuffer> {
  const more = new Int32Array(Math.max(2 * hashes.length, number + 1));
  more.set(hashes);
  return more;
}

/**
 * FNV-1a over UTF-16 units, with the last steps of MurmurHash3: without them the low bits ignore the high ones.
 * @param basis its offset basis
 */
export function hashOf(key: string, basis: number): number {
  let hash = basis;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
