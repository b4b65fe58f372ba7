/** Bold, colour, hex colour, reset, monospace, reverse, italic, strikethrough, underline, each with its digits; modern.ircdocs.horse/formatting. */
const FORMATTING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are the format.
  /\x03(?:\d{1,2}(?:,\d{1,2})?)?|\x04(?:[\da-f]{6}(?:,[\da-f]{6})?)?|[\x02\x0f\x11\x16\x1d\x1e\x1f]/gi;

/** Returns the text as it is read: without IRC formatting codes. */
export function stripFormatting(text: string): string {
  return text.replace(FORMATTING, '');
}
