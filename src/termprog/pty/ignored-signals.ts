/**
 * Variable in which the launcher names the signals that were ignored when this program was started, as nohup(1) does:
 * Node resets them to their defaults before any of our code runs.
 */
export const IGNORED_SIGNALS_VARIABLE = 'TERMPROG_IGNORED_SIGNALS';

/** Returns the names of the signals that should stay ignored; empty without a launcher. */
export function inheritedIgnoredSignals(
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlySet<string> {
  return new Set(environment[IGNORED_SIGNALS_VARIABLE]?.split(' '));
}
