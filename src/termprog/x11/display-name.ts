/** The parts of a display name; X(7) "DISPLAY NAMES". */
export interface DisplayName {
  /** Empty for a server on this machine. */
  host: string;
  number: number;
  screen: number;
}

/** `[protocol/][host]:number[.screen]`; undefined when the text is something else. */
export function parseDisplayName(text: string): DisplayName | undefined {
  const match = /^(?:(?:unix|local|tcp|inet6?)\/)?([^/]*):(\d{1,5})(?:\.(\d{1,3}))?$/.exec(text);
  if (match === null) return undefined;
  const [, host = '', number = '0', screen = '0'] = match;
  return { host: host === 'unix' ? '' : host, number: Number(number), screen: Number(screen) };
}
