import type { TerminalState } from './terminal-state.ts';

/** A longer name is not told. @spec termprog#limits termName */
const NAME_MAX_BYTES = 128;

const isTooLong = ({ termName }: TerminalState): boolean => Buffer.byteLength(termName) > NAME_MAX_BYTES;

const nameOf = (state: TerminalState): string | undefined => (isTooLong(state) ? undefined : state.termName);

const always = (value: string) => (): string => value;

/**
 * Capabilities by their names in terminfo and termcap, as far as programs ask terminals for them: what a description for
 * all terminals of the kind may lack.
 */
const CAPABILITIES: Readonly<Record<string, (state: TerminalState) => string | undefined>> = {
  TN: nameOf,
  name: nameOf,
  Co: always('256'),
  colors: always('256'),
  RGB: always('8/8/8'),
  // Colours of the cursor, and its style.
  Cs: always('\x1b]12;%p1%s\x1b\\'),
  Cr: always('\x1b]112\x1b\\'),
  Ss: always('\x1b[%p1%d q'),
  Se: always('\x1b[0 q'),
  // Selections; styles and colours of underlines.
  Ms: always('\x1b]52;%p1%s;%p2%s\x1b\\'),
  Smulx: always('\x1b[4:%p1%dm'),
  Setulc: always('\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%d%;m'),
  // Overline, strikethrough, synchronized output, and bracketed paste.
  Smol: always('\x1b[53m'),
  Rmol: always('\x1b[55m'),
  smxx: always('\x1b[9m'),
  rmxx: always('\x1b[29m'),
  Sync: always('\x1b[?2026%?%p1%{1}%-%tl%eh%;'),
  BE: always('\x1b[?2004h'),
  BD: always('\x1b[?2004l'),
};

export const CAPABILITY_NAMES = Object.keys(CAPABILITIES);

/** The value of a capability; undefined for one that is not known. */
export function capabilityOf(name: string, state: TerminalState): string | undefined {
  return Object.hasOwn(CAPABILITIES, name) ? CAPABILITIES[name]?.(state) : undefined;
}

/** Whether a question for a capability stays without an answer: for a terminal name that is too long. */
export const isWithheld = (name: string, state: TerminalState): boolean =>
  (name === 'TN' || name === 'name') && isTooLong(state);
