/** A word that makes a version older than the same without it. */
const BEFORE_RELEASE = /^(-rc|~)/;

/**
 * Orders kernel versions as people do: numbers by value, and candidates before their release.
 * Negative when `a` is older than `b`.
 */
export function compareKernelVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const order = compareParts(left[index], right[index]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Runs of digits and of everything else. */
function partsOf(version: string): string[] {
  return version.match(/\d+|\D+/g) ?? [];
}

function compareParts(a: string | undefined, b: string | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return b !== undefined && BEFORE_RELEASE.test(b) ? 1 : -1;
  if (b === undefined) return BEFORE_RELEASE.test(a) ? -1 : 1;
  if (/^\d/.test(a) && /^\d/.test(b)) return Number(a) - Number(b);
  if (BEFORE_RELEASE.test(a) !== BEFORE_RELEASE.test(b)) return BEFORE_RELEASE.test(a) ? -1 : 1;
  return a < b ? -1 : 1;
}

/** The kind of build behind the numbers, such as `-rt-amd64` or `-generic`; kernels of two kinds do not replace each other. */
export function kernelFlavour(version: string): string {
  return /(?:-[a-z][a-z0-9_]*)*(?:\+[a-z][a-z-]*)?$/i.exec(version)?.[0] ?? '';
}

/** The newest of some versions; undefined of none. */
export function newestKernel(versions: readonly string[]): string | undefined {
  return versions.toSorted(compareKernelVersions).at(-1);
}
