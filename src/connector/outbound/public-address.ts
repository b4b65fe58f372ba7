import ipaddr from 'ipaddr.js';

/** The public Internet of IPv6; every other block has another purpose. @see RFC 4291 §2.4 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether a packet to this address goes to the public Internet: not to this machine or its networks, and not to a
 * gateway that would extract an IPv4 address from it.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address?.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}

/** Whether a packet to this address stays on this machine. */
export const isLoopbackAddress = (text: string): boolean => parseAddress(text)?.range() === 'loopback';

/** Reads an address. An IPv4 address that is written as IPv6 counts as IPv4. */
const parseAddress = (text: string) => (ipaddr.isValid(text) ? ipaddr.process(text) : undefined);
