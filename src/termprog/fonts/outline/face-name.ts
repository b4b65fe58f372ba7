/** Longest pattern that is handed to fontconfig. */
export const PATTERN_MAX_CHARACTERS = 1_000;

/** Prefix of entries for this renderer, as xterm has it. */
const PREFIX = /^xft:/i;

/** The faces that `faceName` names. @spec termprog#terminal-widget-resources-termvt100 faceName */
export interface FaceName {
  readonly primary: string;
  /** The second entry. */
  readonly fallback: string | undefined;
  /** Entries that have no meaning. */
  readonly others: readonly string[];
}

/** Splits the resource at its commas. Undefined where no entry is left. */
export function parseFaceName(value: string): FaceName | undefined {
  const [primary, fallback, ...others] = splitEntries(value);
  return primary === undefined ? undefined : { primary, fallback, others };
}

/** Entries of a list of patterns, without blanks around them and without empty ones; a backslash keeps a comma. */
export function splitEntries(value: string): string[] {
  return (value.match(/(?:\\.|[^,\\])+/gs) ?? [])
    .map((entry) => entry.trim().replace(PREFIX, '').trim())
    .filter((entry) => entry !== '');
}

/** Whether fontconfig can be asked for it: it takes text up to a zero byte, and this long. */
export function isPattern(text: string): boolean {
  return text.length <= PATTERN_MAX_CHARACTERS && !text.includes('\0');
}
