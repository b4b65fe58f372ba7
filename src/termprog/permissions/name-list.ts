/**
 * Whether a list such as `Get*,~GetSelection,22` refuses what has this name. Entries are compared without regard to case;
 * `*` and `?` are wildcards, a number stands for the name with that code, and a leading `~` allows what the entry matches
 * again. The last entry that matches decides.
 */
export function isRefusedBy(list: string, name: string, code: number | undefined): boolean {
  let isRefused = false;
  for (const written of list.split(',')) {
    const entry = written.trim();
    const isAllowing = entry.startsWith('~');
    const pattern = isAllowing ? entry.slice(1).trim() : entry;
    const isMatch = /^\d+$/.test(pattern) ? Number(pattern) === code : matchesPattern(name, pattern);
    if (isMatch) isRefused = !isAllowing;
  }
  return isRefused;
}

/** After a mismatch only the last `*` takes one more character, so no pattern takes long. */
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
