import type { ResourceEntry, SpecifierPart } from './resource-syntax.ts';

/** One resource with the place it came from, as `-report-config` names it. */
export interface StoredResource extends ResourceEntry {
  source: string;
}

/** A resource's full path, level by level, once as names and once as classes. */
export interface ResourcePath {
  names: readonly string[];
  classes: readonly string[];
}

/** How well one level of an entry fits, best first: what names the level, then how it is bound. */
const FIT = { nameTight: 6, nameLoose: 5, classTight: 4, classLoose: 3, anyTight: 2, anyLoose: 1, skipped: 0 } as const;

/** Stands for one level of any name. */
const ANY = '?';

/** X resources from all sources; a later entry with the same specifier replaces an earlier one. XrmGetResource(3) */
export class ResourceDatabase {
  readonly #entries = new Map<string, StoredResource>();

  put(entry: ResourceEntry, source: string): void {
    const key = entry.parts.map(({ binding, component }) => (binding === 'tight' ? '.' : '*') + component).join('');
    this.#entries.set(key, { ...entry, source });
  }

  /** The entry that fits best: levels are compared from the left, and the first difference decides. */
  lookup(path: ResourcePath): StoredResource | undefined {
    let best: { entry: StoredResource; fit: number[] } | undefined;
    for (const entry of this.#entries.values()) {
      const fit = bestFit(entry.parts, path, 0, 0);
      if (fit !== undefined && (best === undefined || isBetter(fit, best.fit))) best = { entry, fit };
    }
    return best?.entry;
  }
}

/** The best way the parts from `part` on cover the levels from `level` on; undefined when they can't. */
function bestFit(
  parts: readonly SpecifierPart[],
  path: ResourcePath,
  part: number,
  level: number,
): number[] | undefined {
  const current = parts[part];
  const left = path.names.length - level;
  if (current === undefined) return left === 0 ? [] : undefined;
  if (parts.length - part > left) return undefined;
  const here = levelFit(current, path, level, parts.length - part === 1);
  const matched = here === undefined ? undefined : bestFit(parts, path, part + 1, level + 1);
  if (here !== undefined && matched !== undefined) return [here, ...matched];
  if (current.binding === 'tight') return undefined;
  const skipped = bestFit(parts, path, part, level + 1);
  return skipped === undefined ? undefined : [FIT.skipped, ...skipped];
}

/** The last component is the resource itself, which no wildcard stands for. */
function levelFit(
  { binding, component }: SpecifierPart,
  path: ResourcePath,
  level: number,
  isLast: boolean,
): number | undefined {
  const tight = binding === 'tight';
  if (component === path.names[level]) return tight ? FIT.nameTight : FIT.nameLoose;
  if (component === path.classes[level]) return tight ? FIT.classTight : FIT.classLoose;
  if (component === ANY && !isLast) return tight ? FIT.anyTight : FIT.anyLoose;
  return undefined;
}

function isBetter(fit: readonly number[], than: readonly number[]): boolean {
  const at = fit.findIndex((value, level) => value !== than[level]);
  return at >= 0 && (fit[at] ?? 0) > (than[at] ?? 0);
}
