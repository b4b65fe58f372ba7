/**
 * Prefix of entries that name patterns of outline fonts. @spec termprog#terminal-widget-resources-termvt100 boldFont
 */
const OUTLINE_PREFIX = 'xft:';

/** Returns the names of the X server's fonts in a list separated by commas, without its patterns of outline fonts. */
export function bitmapFontsIn(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && !entry.toLowerCase().startsWith(OUTLINE_PREFIX));
}
