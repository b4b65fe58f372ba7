/** A key of a sequence: its keysym, and which modifiers must be held with it, of those in the mask. */
export interface ComposeKey {
  keysym: number;
  /** Bits of an event's state that count; none in most sequences. */
  mask: number;
  /** Those of them that must be set. */
  modifiers: number;
}

/** What a sequence makes. */
export interface ComposeResult {
  text: string;
}

/** Nodes that there is room for at first. */
const NODES_FIRST = 1_024;

/** No node: the root is nobody's child. */
const NONE = 0;

const MODIFIERS_SHIFT = 16;

/**
 * Sequences of keys, as a tree in arrays of numbers: as objects the ten thousand places of a locale's file took 6 MB, and
 * made the heap grow by as much again.
 */
export class ComposeTable {
  /** The place where sequences begin. A node stands for a key behind those before it. */
  readonly root = 0;
  #nodes = 1;
  #keysyms = new Uint32Array(NODES_FIRST);
  /** Mask in the low half, modifiers in the high one. */
  #states = new Uint32Array(NODES_FIRST);
  /** Node -> the child that was added last; 0 when nothing follows. */
  #children = new Uint32Array(NODES_FIRST);
  /** Node -> the child of the same parent that was added before it. */
  #siblings = new Uint32Array(NODES_FIRST);
  /** Node -> 1 more than the place of its text; 0 when it has none. */
  #results = new Uint32Array(NODES_FIRST);
  readonly #texts: string[] = [];
  /** Node -> the node that it follows. */
  #parents = new Uint32Array(NODES_FIRST);
  /** Nodes by what leads to them, at most half full; 0 where there is none. */
  #slots = new Uint32Array(2 * NODES_FIRST);
  #count = 0;

  /** Sequences that were added. */
  get count(): number {
    return this.#count;
  }

  /** A sequence takes the place of one with the same keys. */
  add(keys: readonly ComposeKey[], { text }: ComposeResult): void {
    let node = this.root;
    for (const key of keys) node = this.#childOf(node, key);
    this.#texts.push(text);
    this.#results[node] = this.#texts.length;
    this.#count += 1;
  }

  /**
   * The node that a key leads to; undefined when no sequence goes on with it. Of nodes that want other modifiers, the one
   * that was added last comes first.
   */
  follow(node: number, keysym: number, state: number): number | undefined {
    for (let child = this.#children[node] ?? NONE; child !== NONE; child = this.#siblings[child] ?? NONE) {
      if (this.#keysyms[child] !== keysym) continue;
      const wanted = this.#states[child] ?? 0;
      if ((state & wanted & 0xffff) === wanted >>> MODIFIERS_SHIFT) return child;
    }
    return undefined;
  }

  /** Whether some sequence goes on behind the node. */
  goesOn(node: number): boolean {
    return this.#children[node] !== NONE;
  }

  /** What the sequence makes that ends at the node; undefined when none does. */
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

  /** Where the child is named, or will be: with the lists of children alone a large file would take many seconds. */
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
