import type { Network } from './network.ts';

/** A network of the configuration, as the database remembers it when its name changes. */
export interface KnownNetwork extends Network {
  /** Name in the fingerprints of its lines: the network's first name, or one that no other network uses. */
  linesAs: string;
  /** Earlier names; entries of that time keep them. */
  earlierNames: string[];
}

/**
 * Most earlier names; far more than a network ever gets. Entries under older names count as those of another network.
 */
const EARLIER_NAMES_MAX = 100;

export interface RenamedNetwork {
  from: string;
  to: string;
}

/**
 * Returns the networks of this start, matched with those of the last one. A name stays with its network. A new name
 * belongs to the network that had its address under a name that is gone, if there is exactly one: the bouncer decides
 * in the same way.
 */
export function followNames(
  before: readonly KnownNetwork[],
  configured: readonly Network[],
): { known: KnownNetwork[]; renamed: RenamedNetwork[] } {
  const isNamed = (networks: readonly Network[], name: string) => networks.some((each) => each.name === name);
  const gone = before.filter(({ name }) => !isNamed(configured, name));
  const added = configured.filter(({ name }) => !isNamed(before, name));
  const renamed: RenamedNetwork[] = [];
  const followed = new Set<KnownNetwork>();
  const known: KnownNetwork[] = [];
  for (const { name, address } of configured) {
    const same = before.find((each) => each.name === name);
    const [former, ...others] = gone.filter((each) => each.address === address);
    const isOnlyOne = others.length === 0 && added.filter((each) => each.address === address).length === 1;
    if (same !== undefined) known.push({ ...same, address });
    else if (former !== undefined && isOnlyOne) {
      renamed.push({ from: former.name, to: name });
      followed.add(former);
      const earlierNames = [...former.earlierNames.filter((each) => each !== name), former.name].slice(
        -EARLIER_NAMES_MAX,
      );
      known.push({ name, address, linesAs: former.linesAs, earlierNames });
    } else known.push({ name, address, linesAs: '', earlierNames: [] });
  }
  // A network that is left out of the configuration for a while keeps its names.
  known.push(...gone.filter((each) => !followed.has(each)));
  for (const network of known) if (network.linesAs === '') network.linesAs = unusedName(network.name, known);
  // A name that a network has now is not an earlier name of any other.
  const names = new Set(known.map(({ name }) => name));
  for (const network of known) network.earlierNames = network.earlierNames.filter((name) => !names.has(name));
  return { known, renamed };
}

/**
 * Returns the name itself, or with a number if another network has used it. Names of networks have no blanks, so the
 * result is free.
 */
function unusedName(name: string, known: readonly KnownNetwork[]): string {
  const isUsed = (candidate: string): boolean => known.some(({ linesAs }) => linesAs === candidate);
  let candidate = name;
  for (let number = 2; isUsed(candidate); number += 1) candidate = `${name} ${number}`;
  return candidate;
}
