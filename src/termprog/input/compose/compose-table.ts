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

/** A place in the tree of sequences: what follows a key, and what it makes when nothing follows. */
export interface ComposeNode {
  readonly key: ComposeKey;
  result: ComposeResult | undefined;
  /** By keysym: of nodes that want other modifiers, those that were added last come first. */
  next: ReadonlyMap<number, ComposeNode[]>;
}

/** Of the nodes that end sequences, which are most of them: a map for each would take megabytes. */
const NOTHING: ReadonlyMap<number, ComposeNode[]> = new Map();

const newNode = (key: ComposeKey): ComposeNode => ({ key, result: undefined, next: NOTHING });

/** Sequences of keys, as a tree. */
export class ComposeTable {
  readonly root: ComposeNode = newNode({ keysym: 0, mask: 0, modifiers: 0 });
  #count = 0;

  /** Sequences that were added. */
  get count(): number {
    return this.#count;
  }

  /** A sequence takes the place of one with the same keys. */
  add(keys: readonly ComposeKey[], result: ComposeResult): void {
    let node = this.root;
    for (const key of keys) node = childOf(node, key);
    node.result = result;
    this.#count += 1;
  }
}

function childOf(node: ComposeNode, key: ComposeKey): ComposeNode {
  const siblings = node.next.get(key.keysym);
  const found = siblings?.find(({ key: { mask, modifiers } }) => mask === key.mask && modifiers === key.modifiers);
  if (found !== undefined) return found;
  const child = newNode(key);
  if (siblings === undefined) addTo(node, child);
  else siblings.unshift(child);
  return child;
}

function addTo(node: ComposeNode, child: ComposeNode): void {
  const next = node.next === NOTHING ? new Map<number, ComposeNode[]>() : (node.next as Map<number, ComposeNode[]>);
  next.set(child.key.keysym, [child]);
  node.next = next;
}

/** The node that a key leads to; undefined when no sequence goes on with it. */
export function followKey(node: ComposeNode, keysym: number, state: number): ComposeNode | undefined {
  return node.next.get(keysym)?.find(({ key: { mask, modifiers } }) => (state & mask) === modifiers);
}
