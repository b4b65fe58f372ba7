/** Begins entries that name patterns of outline fonts. @spec termprog#terminal-widget-resources-termvt100 boldFont */
const OUTLINE_PREFIX = 'xft:';

/** The names of the X server's fonts in a list, which may also have patterns of outline fonts, separated by commas. */
export function bitmapFontsIn(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && !entry.toLowerCase().startsWith(OUTLINE_PREFIX));
}
