import ipaddr from 'ipaddr.js';

/** Where a request goes. */
export interface Target {
  /** A name, or an address without brackets. */
  host: string;
  port: number;
}

/** An entry with a port: `host:8443`, `[2001:db8::1]:8443`. An IPv6 address without brackets has more than one colon. */
const WITH_PORT = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/;

/** The entries of `NO_PROXY`, separated by commas or blanks. */
export const entriesOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');

/**
 * Whether an entry of `NO_PROXY` exempts a target. An entry is `*`, a name, which stands for all names below it too, with or
 * without a leading `.` or `*.`; an address or a block of addresses, which match addresses only; each with or without a port.
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

/** A complete name may end in a dot. */
const withoutDot = (name: string): string => name.replace(/\.$/, '');
