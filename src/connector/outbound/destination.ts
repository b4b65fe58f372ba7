import { isIP } from 'node:net';
import { type HostRules, hasAllowedScheme, hostOf } from './host-rules.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';
import { type ResolvedAddress, resolveAsMachine, resolvePublicName } from './resolve.ts';

/** Most addresses that are tried. A receiver has a few; a thousand of them would be tried one after another. */
const ADDRESSES_MAX = 8;

export interface DestinationRules {
  hosts: HostRules;
  /** Name servers that replace the machine's. */
  dnsServers?: readonly string[] | undefined;
}

/**
 * Returns the addresses that a request may go to: those of the URL's host at this moment, if every one of them is
 * allowed. The list is empty if the host is unknown, or if a single address is not allowed: a name with a public and a
 * private address is an attempt to reach the internal network.
 */
export async function destinationOf(
  url: URL,
  { hosts, dnsServers }: DestinationRules,
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  if (!hasAllowedScheme(url, hosts)) return [];
  const host = hostOf(url);
  const isExempt = hosts.isExempt(url);
  const addresses = await addressesOf(host, isExempt, dnsServers, signal);
  const isAllowed = isExempt ? exemptRule(url) : isPublicAddress;
  return addresses.every(({ address }) => isAllowed(address)) ? addresses.slice(0, ADDRESSES_MAX) : [];
}

async function addressesOf(
  host: string,
  isExempt: boolean,
  dnsServers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<ResolvedAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  return isExempt ? resolveAsMachine(host, signal) : resolvePublicName(host, dnsServers, signal);
}

/** Unencrypted requests must not leave the machine, even if its hosts file points elsewhere. */
const exemptRule = ({ protocol }: URL): ((address: string) => boolean) =>
  protocol === 'http:' ? isLoopbackAddress : () => true;
