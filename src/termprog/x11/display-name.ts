/** The parts of a display name; X(7) "DISPLAY NAMES". */
export interface DisplayName {
  /** The socket in the file system, or the network. */
  transport: 'local' | 'tcp';
  /** Empty for a server on this machine. */
  host: string;
  number: number;
  screen: number;
}

/** Over the network a display is a port, counted from 6000. */
export const NETWORK_NUMBER_MAX = 65_535 - 6_000;

const LOCAL_PROTOCOLS: readonly string[] = ['unix', 'local'];

/**
 * Parses `[protocol/][host]:number[.screen]`; undefined for other text. The host `unix` and the protocols `unix` and
 * `local` name this machine's own server, even if a host is given with them.
 */
export function parseDisplayName(text: string): DisplayName | undefined {
  const match = /^(?:(unix|local|tcp|inet6?)\/)?([^/]*):(\d{1,5})(?:\.(\d{1,3}))?$/.exec(text);
  if (match === null) return undefined;
  const [, protocol, host = '', number = '0', screen = '0'] = match;
  const isLocal = protocol === undefined ? host === '' || host === 'unix' : LOCAL_PROTOCOLS.includes(protocol);
  return {
    transport: isLocal ? 'local' : 'tcp',
    host: isLocal ? '' : host,
    number: Number(number),
    screen: Number(screen),
  };
}

/** Returns the reason why no server can have this display name; undefined if one can. */
export function whyUnreachable({ transport, number }: DisplayName): string | undefined {
  if (transport === 'local' || number <= NETWORK_NUMBER_MAX) return undefined;
  return `over the network displays have numbers up to ${NETWORK_NUMBER_MAX}`;
}

/** Formats the display name for the library, which knows neither the host `unix` nor a host with the local protocol. */
export function libraryDisplayName({ transport, host, number, screen }: DisplayName): string {
  return `${transport === 'local' ? '' : `tcp/${host}`}:${number}.${screen}`;
}
