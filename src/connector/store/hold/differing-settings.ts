/** Paths whose hashes differ, or that one of the two lacks. */
export function differingSettings(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): string[] {
  const paths = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...paths].filter((path) => one[path] !== other[path]).sort();
}
