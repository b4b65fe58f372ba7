// As a whole: a Node that lacks one of these names must come as far as the line that says which Node is needed.
import tls from 'node:tls';
import { destinationOf } from './destination.ts';
import { exchange, type OutboundAnswer, type OutboundRequest } from './exchange.ts';
import { createHostRules, type HostRules, hostOf } from './host-rules.ts';
import { type OutboundProxy, proxyFor } from './proxy.ts';

/** From the question for the name to the end of the answer. */
const DEADLINE_MS = 10_000;
const HTTPS_PORT = 443;

export interface OutboundOptions {
  /** Hosts that need not be public; none by default. */
  allowHosts?: readonly string[];
  /** Certificates of authorities that are trusted beside those Node.js trusts, in PEM. */
  authorities?: string | undefined;
  /** Name servers in place of the machine's, as ADDRESS:PORT. */
  dnsServers?: readonly string[];
  deadlineMs?: number;
  /** Encrypted requests to public addresses leave by it. The addresses are vetted here, and the proxy is asked for just these. */
  proxy?: OutboundProxy | undefined;
}

/** Requests to addresses that strangers name. */
export interface Outbound {
  hosts: HostRules;
  /**
   * Sends a request to the host's addresses of this moment, if they are allowed; no packet but questions for the name
   * leaves for any other. Never rejects for a fault of the peer.
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Ends the requests under way, and lets no further one begin. */
  close(): void;
}

export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { allowHosts = [], authorities, dnsServers, deadlineMs = DEADLINE_MS, proxy } = options;
  const hosts = createHostRules(allowHosts);
  const secureContext =
    authorities === undefined
      ? undefined
      : tls.createSecureContext({ ca: [...tls.getCACertificates('default'), authorities] });
  const underWay = new Set<AbortController>();
  let isClosed = false;
  return {
    hosts,
    send: async (request) => {
      const end = new AbortController();
      underWay.add(end);
      if (isClosed) end.abort();
      const deadline = setTimeout(() => end.abort(), deadlineMs);
      try {
        const addresses = await destinationOf(new URL(request.url), { hosts, dnsServers }, end.signal);
        if (end.signal.aborted) return { kind: 'unreachable', failure: 'timeout' };
        if (addresses.length === 0) return { kind: 'unreachable', failure: 'connection_refused' };
        const url = new URL(request.url);
        // Exempt hosts are those of the own network.
        const target = { host: hostOf(url), port: url.port === '' ? HTTPS_PORT : Number(url.port) };
        const via = url.protocol === 'https:' && !hosts.isExempt(url) ? proxyFor(target, proxy) : undefined;
        const tunnel = via === undefined ? undefined : { proxy: via, port: target.port };
        return await exchange(request, addresses, { secureContext, signal: end.signal, tunnel });
      } finally {
        clearTimeout(deadline);
        underWay.delete(end);
      }
    },
    close: () => {
      isClosed = true;
      for (const end of underWay) end.abort();
    },
  };
}
