/** Begins entries that name patterns of outline fonts. @spec termprog#terminal-widget-resources-termvt100 boldFont */
const OUTLINE_PREFIX = 'xft:';

/** Entries of a chain of fonts, in their order. */
export interface FontChain {
  /** Names of the X server's fonts. */
  readonly bitmap: readonly string[];
  /** Patterns of outline fonts, without their prefix. */
  readonly outline: readonly string[];
}

/** Reads a chain, whose entries are separated by commas; no chain is one without entries. */
export function readFontChain(chain: string | undefined): FontChain {
  const entries = (chain ?? '').split(',').map((entry) => entry.trim());
  const isOutline = (entry: string): boolean => entry.toLowerCase().startsWith(OUTLINE_PREFIX);
  return {
    bitmap: entries.filter((entry) => entry !== '' && !isOutline(entry)),
    outline: entries
      .filter(isOutline)
      .map((entry) => entry.slice(OUTLINE_PREFIX.length).trim())
      .filter((pattern) => pattern !== ''),
  };
}
