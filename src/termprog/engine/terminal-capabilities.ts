import type { TerminalState } from './terminal-state.ts';

/** A longer name is not reported. @spec termprog#limits termName */
const NAME_MAX_BYTES = 128;

const isTooLong = ({ termName }: TerminalState): boolean => Buffer.byteLength(termName) > NAME_MAX_BYTES;

const nameOf = (state: TerminalState): string | undefined => (isTooLong(state) ? undefined : state.termName);

const always = (value: string) => (): string => value;

/** Capabilities beyond those of xterm that the terminal's own terminfo description has, too. */
export const DESCRIBED_CAPABILITIES: Readonly<Record<string, string>> = {
  // Colours of the cursor, and its style.
  Cs: '\x1b]12;%p1%s\x1b\\',
  Cr: '\x1b]112\x1b\\',
  Ss: '\x1b[%p1%d q',
  Se: '\x1b[0 q',
  // Selections; styles and colours of underlines.
  Ms: '\x1b]52;%p1%s;%p2%s\x1b\\',
  Smulx: '\x1b[4:%p1%dm',
  Setulc: '\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm',
  // Overline, strikethrough, synchronized output, and bracketed paste.
  Smol: '\x1b[53m',
  Rmol: '\x1b[55m',
  smxx: '\x1b[9m',
  rmxx: '\x1b[29m',
  Sync: '\x1b[?2026%?%p1%{1}%-%tl%eh%;',
  BE: '\x1b[?2004h',
  BD: '\x1b[?2004l',
};

/**
 * Capabilities by their names in terminfo and termcap, as far as programs ask terminals for them: those that a general
 * terminal description may lack.
 */
const CAPABILITIES: Readonly<Record<string, (state: TerminalState) => string | undefined>> = {
  TN: nameOf,
  name: nameOf,
  Co: always('256'),
  colors: always('256'),
  RGB: always('8/8/8'),
  ...Object.fromEntries(Object.entries(DESCRIBED_CAPABILITIES).map(([name, value]) => [name, always(value)])),
};

export const CAPABILITY_NAMES = Object.keys(CAPABILITIES);

/** Returns the value of a capability; undefined if it is unknown. */
export function capabilityOf(name: string, state: TerminalState): string | undefined {
  return Object.hasOwn(CAPABILITIES, name) ? CAPABILITIES[name]?.(state) : undefined;
}

/** Returns whether a question for a capability stays without an answer because the terminal's name is too long. */
export const isWithheld = (name: string, state: TerminalState): boolean =>
  (name === 'TN' || name === 'name') && isTooLong(state);
