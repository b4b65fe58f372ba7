/** Longest pattern that is passed to fontconfig. */
export const PATTERN_MAX_CHARACTERS = 1_000;

/** Prefix of entries for this renderer, as in xterm. */
const PREFIX = /^xft:/i;

/** The faces that `faceName` names. @spec termprog#terminal-widget-resources-termvt100 faceName */
export interface FaceName {
  readonly primary: string;
  /** The second entry. */
  readonly fallback: string | undefined;
  /** Further entries, which are ignored. */
  readonly others: readonly string[];
}

/** Splits the resource at its commas. Undefined if no entry remains. */
export function parseFaceName(value: string): FaceName | undefined {
  const [primary, fallback, ...others] = splitEntries(value);
  return primary === undefined ? undefined : { primary, fallback, others };
}

/** Splits a list of patterns, trims its entries and drops empty ones; a backslash escapes a comma. */
export function splitEntries(value: string): string[] {
  return (value.match(/(?:\\.|[^,\\])+/gs) ?? [])
    .map((entry) => entry.trim().replace(PREFIX, '').trim())
    .filter((entry) => entry !== '');
}

/** Whether fontconfig accepts the text: it reads up to a zero byte, and the length is limited. */
export function isPattern(text: string): boolean {
  return text.length <= PATTERN_MAX_CHARACTERS && !text.includes('\0');
}
