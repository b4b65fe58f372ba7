import ipaddr from 'ipaddr.js';

/** Host and port of a request. */
export interface Target {
  /** A name, or an address without brackets. */
  host: string;
  port: number;
}

/** An entry with a port: `host:8443`, `[2001:db8::1]:8443`. An IPv6 address without brackets has more than one colon. */
const WITH_PORT = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/;

/** Returns the entries of `NO_PROXY`, which are separated by commas or blanks. */
export const entriesOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');

/**
 * Whether an entry of `NO_PROXY` exempts a target. An entry is `*`; a name, which also covers all names below it, with
 * or without a leading `.` or `*.`; or an address or a block of addresses, which match addresses only. Each may have a
 * port.
 */
export function isExempted({ host, port }: Target, entry: string): boolean {
  const [, named = entry, entryPort] = WITH_PORT.exec(entry) ?? [];
  if (entryPort !== undefined && Number(entryPort) !== port) return false;
  const name = named.replace(/^\[(.*)\]$/, '$1');
  if (name === '*') return true;
  if (ipaddr.isValid(host)) return coversAddress(name, host);
  const suffix = withoutDot(name.replace(/^\*?\./, ''));
  const asked = withoutDot(host);
  return suffix !== '' && (asked === suffix || asked.endsWith(`.${suffix}`));
}

function coversAddress(entry: string, host: string): boolean {
  const address = ipaddr.process(host);
  if (ipaddr.isValid(entry)) return ipaddr.process(entry).toString() === address.toString();
  if (!ipaddr.isValidCIDR(entry)) return false;
  const [block, bits] = ipaddr.parseCIDR(entry);
  return block.kind() === address.kind() && address.match(block, bits);
}

/** Drops the dot at the end of a complete name. */
const withoutDot = (name: string): string => name.replace(/\.$/, '');
