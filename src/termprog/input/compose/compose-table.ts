/** A key of a sequence: its keysym, and which modifiers in the mask must be held with it. */
export interface ComposeKey {
  keysym: number;
  /** Bits of an event's state that count; 0 in most sequences. */
  mask: number;
  /** The bits of the mask that must be set. */
  modifiers: number;
}

/** The result of a sequence. */
export interface ComposeResult {
  text: string;
}

/** Initial capacity in nodes. */
const NODES_FIRST = 1_024;

/** No node: the root is never a child. */
const NONE = 0;

const MODIFIERS_SHIFT = 16;

/**
 * Sequences of keys, as a tree in arrays of numbers: as objects the ten thousand nodes of a locale's file took 6 MB,
 * and made the heap grow by as much again.
 */
export class ComposeTable {
  /** Node where sequences begin. Each node stands for a key after those of its ancestors. */
  readonly root = 0;
  #nodes = 1;
  #keysyms = new Uint32Array(NODES_FIRST);
  /** Mask in the low half, modifiers in the high one. */
  #states = new Uint32Array(NODES_FIRST);
  /** Node → the child that was added last; 0 without children. */
  #children = new Uint32Array(NODES_FIRST);
  /** Node → the child of the same parent that was added before it. */
  #siblings = new Uint32Array(NODES_FIRST);
  /** Node → index of its text plus 1; 0 without a text. */
  #results = new Uint32Array(NODES_FIRST);
  readonly #texts: string[] = [];
  /** Node → its parent. */
  #parents = new Uint32Array(NODES_FIRST);
  /** Hash table of nodes by parent, keysym and state, at most half full; 0 in free slots. */
  #slots = new Uint32Array(2 * NODES_FIRST);
  #count = 0;

  /** Number of added sequences. */
  get count(): number {
    return this.#count;
  }

  /** Adds a sequence; it replaces one with the same keys. */
  add(keys: readonly ComposeKey[], { text }: ComposeResult): void {
    let node = this.root;
    for (const key of keys) node = this.#childOf(node, key);
    this.#texts.push(text);
    this.#results[node] = this.#texts.length;
    this.#count += 1;
  }

  /**
   * Returns the node that a key leads to; undefined when no sequence continues with it. Among nodes with different
   * modifiers the one that was added last wins.
   */
  follow(node: number, keysym: number, state: number): number | undefined {
    for (let child = this.#children[node] ?? NONE; child !== NONE; child = this.#siblings[child] ?? NONE) {
      if (this.#keysyms[child] !== keysym) continue;
      const wanted = this.#states[child] ?? 0;
      if ((state & wanted & 0xffff) === wanted >>> MODIFIERS_SHIFT) return child;
    }
    return undefined;
  }

  /** Whether a sequence continues after the node. */
  goesOn(node: number): boolean {
    return this.#children[node] !== NONE;
  }

  /** Returns the text of the sequence that ends at the node; undefined if no sequence does. */
  textOf(node: number): string | undefined {
    const result = this.#results[node] ?? 0;
    return result === 0 ? undefined : this.#texts[result - 1];
  }

  #childOf(node: number, { keysym, mask, modifiers }: ComposeKey): number {
    const state = ((modifiers << MODIFIERS_SHIFT) | mask) >>> 0;
    const found = this.#slots[this.#slotOf(node, keysym, state)] ?? NONE;
    if (found !== NONE) return found;
    if (this.#nodes === this.#keysyms.length) this.#grow();
    const added = this.#nodes++;
    this.#parents[added] = node;
    this.#keysyms[added] = keysym;
    this.#states[added] = state;
    this.#siblings[added] = this.#children[node] ?? NONE;
    this.#children[node] = added;
    this.#slots[this.#slotOf(node, keysym, state)] = added;
    return added;
  }

  /**
   * Returns the hash slot of a child, existing or new: searching the lists of children alone would take many seconds
   * for a large file.
   */
  #slotOf(parent: number, keysym: number, state: number): number {
    const last = this.#slots.length - 1;
    let slot = hashOf(parent, keysym, state) & last;
    for (;;) {
      const child = this.#slots[slot] ?? NONE;
      const isIt = this.#parents[child] === parent && this.#keysyms[child] === keysym && this.#states[child] === state;
      if (child === NONE || isIt) return slot;
      slot = (slot + 1) & last;
    }
  }

  #grow(): void {
    const grown = (array: Uint32Array): Uint32Array<ArrayBuffer> => {
      const larger = new Uint32Array(2 * array.length);
      larger.set(array);
      return larger;
    };
    this.#parents = grown(this.#parents);
    this.#keysyms = grown(this.#keysyms);
    this.#states = grown(this.#states);
    this.#children = grown(this.#children);
    this.#siblings = grown(this.#siblings);
    this.#results = grown(this.#results);
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let node = 1; node < this.#nodes; node += 1) {
      const slot = this.#slotOf(this.#parents[node] ?? 0, this.#keysyms[node] ?? 0, this.#states[node] ?? 0);
      this.#slots[slot] = node;
    }
  }
}

function hashOf(parent: number, keysym: number, state: number): number {
  const mixed = Math.imul(Math.imul(parent, 0x9e37_79b1) ^ Math.imul(keysym, 0x85eb_ca6b) ^ state, 0xc2b2_ae35);
  return mixed ^ (mixed >>> 15);
}
