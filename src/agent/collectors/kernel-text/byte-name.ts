/** A name as files of /proc are read, each byte as one character -> text, with U+FFFD for what is not UTF-8. */
export function textOfBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/**
 * Drops rows whose name an earlier row has. Two names that are not UTF-8 can become the same text, and scrapers reject
 * both copies of a duplicate series.
 */
export function firstOfEach<T>(rows: readonly T[], nameOf: (row: T) => string): T[] {
  const byName = new Map<string, T>();
  for (const row of rows) if (!byName.has(nameOf(row))) byName.set(nameOf(row), row);
  return [...byName.values()];
}
