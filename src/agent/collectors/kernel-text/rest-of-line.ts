/**
 * The text between a key at the start of a line and the end of that line. Undefined if there is no such line, or if the
 * line has no newline: it may be cut in the middle of a number.
 * @param key with its separator
 */
export function restOfLine(text: string, key: string): string | undefined {
  const before = text.indexOf(`\n${key}`);
  if (before === -1 && !text.startsWith(key)) return undefined;
  const start = before + 1;
  const end = text.indexOf('\n', start);
  return end === -1 ? undefined : text.slice(start + key.length, end);
}
