/**
 * What stands behind a key at the start of a line, to the end of that line. Undefined where there is no such line,
 * and where it has no end: it may be cut in the middle of a number.
 * @param key with what separates it from the rest
 */
export function restOfLine(text: string, key: string): string | undefined {
  const before = text.indexOf(`\n${key}`);
  if (before === -1 && !text.startsWith(key)) return undefined;
  const start = before + 1;
  const end = text.indexOf('\n', start);
  return end === -1 ? undefined : text.slice(start + key.length, end);
}
