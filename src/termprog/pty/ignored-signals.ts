/**
 * Variable in which the launcher names the signals that were ignored when this program was started, as nohup(1) does:
 * Node takes them back to their defaults before any of our code runs.
 */
export const IGNORED_SIGNALS_VARIABLE = 'TERMPROG_IGNORED_SIGNALS';

/** Names of the signals that whoever started this program wants it to ignore; none when it was started otherwise. */
export function toldIgnoredSignals(environment: Readonly<Record<string, string | undefined>>): ReadonlySet<string> {
  return new Set(environment[IGNORED_SIGNALS_VARIABLE]?.split(' '));
}
