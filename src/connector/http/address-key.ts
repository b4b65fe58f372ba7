import ipaddr from 'ipaddr.js';

/**
 * Groups of an IPv6 address that a provider assigns to a customer as a whole, and the bits of the next group: 56 bits.
 * @see RFC 6177
 */
const WHOLE_GROUPS = 3;
const BITS_OF_NEXT = 0xff00;

/**
 * The key under which requests of one customer are counted: the IPv4 address, also if it is written as IPv6, or the
 * first 56 bits of an IPv6 address, because a customer may use any address below them. A text that is not an address is
 * its own key.
 */
export function addressKey(text: string): string {
  if (!ipaddr.isValid(text)) return text;
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const { parts } = address;
  const network = [...parts.slice(0, WHOLE_GROUPS), (parts[WHOLE_GROUPS] ?? 0) & BITS_OF_NEXT];
  return `${network.map((part) => part.toString(16)).join(':')}::/56`;
}
