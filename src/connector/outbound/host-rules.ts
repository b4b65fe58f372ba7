import { isIP } from 'node:net';
import { isLoopbackAddress } from './public-address.ts';

/** The owner's exceptions from the rule that only public addresses are reached. */
export interface HostRules {
  isExempt(url: URL): boolean;
  /** Whether a request may go unencrypted: to an exempt host that is this machine. */
  mayBePlain(url: URL): boolean;
}

/** @param allowHosts host names or IP addresses, without port */
export function createHostRules(allowHosts: readonly string[]): HostRules {
  const exempt = new Set(allowHosts.map(asInUrl));
  const isExempt = ({ hostname }: URL): boolean => exempt.has(hostname);
  return { isExempt, mayBePlain: (url) => isExempt(url) && isLoopbackHost(hostOf(url)) };
}

/** The host of an address; an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Whether the scheme is allowed: encrypted, or plain where the rules allow it. */
export const hasAllowedScheme = (url: URL, rules: HostRules): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && rules.mayBePlain(url));

const isLoopbackHost = (host: string): boolean => (isIP(host) === 0 ? host === 'localhost' : isLoopbackAddress(host));

/** Returns the host as a URL spells it, so that all its spellings are equal. */
function asInUrl(host: string): string {
  return new URL(`https://${isIP(host) === 6 ? `[${host}]` : host}`).hostname;
}
