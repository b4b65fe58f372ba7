/** Returns the report to applications about the colours: whether the background is darker than the text. */
export function colorSchemeReport(isDark: boolean): string {
  return `\x1b[?997;${isDark ? 1 : 2}n`;
}
