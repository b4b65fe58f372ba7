/**
 * Whether a list such as `Get*,~GetSelection,22` refuses an operation. Entries ignore case; `*` and `?` are wildcards,
 * a number stands for the name with that code, and a leading `~` permits the matching names again. The last matching
 * entry decides.
 */
export function isRefusedBy(list: string, name: string, code: number | undefined): boolean {
  let isRefused = false;
  for (const { pattern, isAllowing } of entriesOf(list.split(','))) {
    const isMatch = isCode(pattern) ? Number(pattern) === code : matchesPattern(name, pattern);
    if (isMatch) isRefused = !isAllowing;
  }
  return isRefused;
}

/** Most entries that are checked for mistakes; far more than there are operations. */
const CHECKED_MAX = 1_000;

/** Returns the entries of a list that are not a number and match no name. */
export function unknownEntries(list: string, names: readonly string[]): string[] {
  return entriesOf(list.split(',', CHECKED_MAX))
    .map(({ pattern }) => pattern)
    .filter((pattern) => pattern !== '' && !isCode(pattern) && !names.some((name) => matchesPattern(name, pattern)));
}

function entriesOf(entries: readonly string[]): { pattern: string; isAllowing: boolean }[] {
  return entries.map((written) => {
    const entry = written.trim();
    const isAllowing = entry.startsWith('~');
    return { pattern: isAllowing ? entry.slice(1).trim() : entry, isAllowing };
  });
}

function isCode(pattern: string): boolean {
  return /^\d+$/.test(pattern);
}

/**
 * Matches a pattern. After a mismatch only the last `*` is extended by one more character, so that no pattern takes
 * long.
 */
function matchesPattern(name: string, pattern: string): boolean {
  const text = name.toLowerCase();
  const wanted = pattern.toLowerCase();
  let at = 0;
  let next = 0;
  let star: { at: number; next: number } | undefined;
  while (at < text.length) {
    if (wanted[next] === '*') {
      next += 1;
      star = { at, next };
    } else if (wanted[next] === '?' || wanted[next] === text[at]) {
      at += 1;
      next += 1;
    } else if (star !== undefined) {
      star.at += 1;
      ({ at, next } = star);
    } else return false;
  }
  while (wanted[next] === '*') next += 1;
  return next === wanted.length;
}
