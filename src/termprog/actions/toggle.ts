const STATES: Readonly<Record<string, boolean>> = { on: true, off: false };

/**
 * Returns the state that `[on|off|toggle]` requests, ignoring case; no parameter means `toggle`. Undefined, for a bell,
 * when that state is already in effect, and for any other parameter.
 * @spec termprog#actions-usable-in-a-translations-resource-of-the-vt100-widget allow-title-ops
 */
export function toggled(isOn: boolean, parameters: readonly string[]): boolean | undefined {
  const [parameter = 'toggle', ...others] = parameters;
  if (others.length > 0) return undefined;
  const word = parameter.toLowerCase();
  if (word === 'toggle') return !isOn;
  const wanted = Object.hasOwn(STATES, word) ? STATES[word] : undefined;
  return wanted === isOn ? undefined : wanted;
}
