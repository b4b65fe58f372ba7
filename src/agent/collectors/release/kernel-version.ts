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

/**
 * Words of a version that change with an update or a new release of the distribution, and name no kind of build:
 * candidates, revisions, marks of distributions, and what git says of a checkout.
 */
const WORDS_OF_RELEASES =
  /^(rc\d*|r\d+|g[0-9a-f]{7,}|dirty|ubuntu|kali|arch|rpt|rpi\d+|(deb|bpo|fc|mga|ph|azl|cm|amzn|ol)\d*|el\d+)$/;

/**
 * A word with a count that its distribution adds, equal in all builds without it: `arch1`, `hardened2`. No count is the
 * width of a processor's words (`amd64`) or its version (`armv7`), nor a number behind one or two letters (`v8`), but
 * for `rt`.
 */
const COUNTED_WORD = /^(?!.*(?:v\d|32|64)$)(rt|[a-z]{3,})\d{1,2}$/;

/** A revision between numbers of a distribution: `13parrot1`, `1omv2490`. */
const REVISION = /^\d+[a-z]{2,}\d+$/;

/** Tag that packages of the RPM family have before the processor: the distribution, its release and update. */
const RPM_TAG = /\.(?!el\d)[a-z]+\d[0-9a-z]*(?:_\d+)?(?=\.(?:x86_64|aarch64|i686|ppc64le|s390x|riscv64|loongarch64)\b)/;

/**
 * The kind of build, such as `rt amd64` or `generic`: the words of a version without its numbers and without what only
 * names a release. Kernels of two kinds are installed side by side and do not replace each other.
 */
export function kernelFlavour(version: string): string {
  const [, rest = ''] = /^\d+(?:\.\d+)*(.*)$/s.exec(version.replace(RPM_TAG, '')) ?? [];
  const words = rest.split(/[-+._~]/).flatMap((word): string[] => {
    // Oracle's own kernels carry their kind in the mark of the distribution.
    const marked = /^el\d+([a-z]+)$/.exec(word)?.[1] ?? word;
    if (namesNoKind(marked)) return [];
    const counted = COUNTED_WORD.exec(marked)?.[1] ?? marked;
    return namesNoKind(counted) ? [] : [counted];
  });
  return words.join(' ');
}

/** Numbers that name a processor, and so are words of a kind. */
const PROCESSORS: readonly string[] = ['686', '2712'];

const namesNoKind = (word: string): boolean =>
  word === '' || WORDS_OF_RELEASES.test(word) || REVISION.test(word) || isCount(word);

const isCount = (word: string): boolean => /^\d+$/.test(word) && !PROCESSORS.includes(word);

/** The newest of these versions; undefined if there are no versions. */
export function newestKernel(versions: readonly string[]): string | undefined {
  return versions.toSorted(compareKernelVersions).at(-1);
}
