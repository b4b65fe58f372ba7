import type { ResourceEntry } from './resource-syntax.ts';

/** One resource with its source, as `-report-config` names it. */
export interface StoredResource extends ResourceEntry {
  source: string;
}

/** A resource's full path, level by level, once as names and once as classes. */
export interface ResourcePath {
  names: readonly string[];
  classes: readonly string[];
}

/**
 * Most remembered last components: twice as many as this program has resources. With more, lookups search the whole
 * tree.
 */
const LAST_COMPONENTS_MAX = 1_000;

/** Matches one level of any name. */
const ANY = '?';

/** A node of the tree of specifiers; its children are keyed by the next component, with the binding in front. */
class Branch {
  entry: StoredResource | undefined;
  // Most nodes have one child and need no map, which would take as much memory as ten nodes.
  #key: string | undefined;
  #child: Branch | undefined;
  #others: Map<string, Branch> | undefined;

  child(key: string): Branch | undefined {
    return key === this.#key ? this.#child : this.#others?.get(key);
  }

  grow(key: string): Branch {
    const known = this.child(key);
    if (known !== undefined) return known;
    const child = new Branch();
    if (this.#child === undefined) {
      this.#key = key;
      this.#child = child;
    } else {
      this.#others ??= new Map();
      this.#others.set(key, child);
    }
    return child;
  }
}

/** X resources from all sources; a later entry with the same specifier replaces an earlier one. XrmGetResource(3) */
export class ResourceDatabase {
  readonly #root = new Branch();
  /** Last components of all specifiers; undefined when there are too many. */
  #lastComponents: Set<string> | undefined = new Set();

  put(entry: ResourceEntry, source: string): void {
    this.#branchOf(entry).entry = { ...entry, source };
  }

  /** Adds the entries of a weaker source, in their order: existing specifiers keep their values. */
  putBelow(entries: readonly ResourceEntry[], source: string): void {
    for (const entry of entries.toReversed()) this.#branchOf(entry).entry ??= { ...entry, source };
  }

  /** Returns the best matching entry: levels are compared from the left, and the first difference decides. */
  lookup({ names, classes }: ResourcePath): StoredResource | undefined {
    if (!this.mayHold(names.at(-1), classes.at(-1))) return undefined;
    return bestBelow(
      this.#root,
      names.map((name, level) => ({ name, class: classes[level] })),
    );
  }

  /** Whether a specifier ends in this name or class of a resource. A start looks up hundreds, of which few are set. */
  mayHold(name: string | undefined, className: string | undefined): boolean {
    const last = this.#lastComponents;
    return (
      last === undefined || (name !== undefined && last.has(name)) || (className !== undefined && last.has(className))
    );
  }

  #branchOf({ parts }: ResourceEntry): Branch {
    let branch = this.#root;
    for (const { binding, component } of parts) branch = branch.grow((binding === 'tight' ? '.' : '*') + component);
    const last = parts.at(-1)?.component;
    if (last !== undefined) this.#lastComponents?.add(last);
    if ((this.#lastComponents?.size ?? 0) > LAST_COMPONENTS_MAX) this.#lastComponents = undefined;
    return branch;
  }
}

/** Tries the components that match the first level, best first; the time does not grow with the number of entries. */
function bestBelow(
  branch: Branch,
  levels: readonly { name: string; class: string | undefined }[],
  bindings: readonly string[] = ['.', '*'],
): StoredResource | undefined {
  const [level, ...rest] = levels;
  if (level === undefined) return branch.entry;
  // The last component is the resource itself; no wildcard matches it.
  for (const component of rest.length === 0 ? [level.name, level.class] : [level.name, level.class, ANY]) {
    for (const binding of bindings) {
      const child = component === undefined ? undefined : branch.child(binding + component);
      const found = child && bestBelow(child, rest);
      if (found !== undefined) return found;
    }
  }
  // The worst match: a loose binding skips the level.
  return rest.length === 0 ? undefined : bestBelow(branch, rest, ['*']);
}
