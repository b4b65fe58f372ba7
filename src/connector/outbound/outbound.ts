// The module is imported as a whole: a Node without one of its names must get as far as the message that names the
// needed Node.
import tls from 'node:tls';
import { destinationOf } from './destination.ts';
import { exchange, type OutboundAnswer, type OutboundRequest } from './exchange.ts';
import { createHostRules, type HostRules, hostOf } from './host-rules.ts';
import { type OutboundProxy, proxyFor } from './proxy.ts';

/** Deadline from the DNS query to the end of the answer. */
const DEADLINE_MS = 10_000;
const HTTPS_PORT = 443;

export interface OutboundOptions {
  /** Hosts that may have private addresses; empty by default. */
  allowHosts?: readonly string[];
  /** Certificates of authorities that are trusted in addition to Node's own, in PEM. */
  authorities?: string | undefined;
  /** Name servers that replace the machine's, as ADDRESS:PORT. */
  dnsServers?: readonly string[];
  deadlineMs?: number;
  /**
   * Proxy for encrypted requests to public addresses. The addresses are vetted here, and the proxy connects to just
   * these.
   */
  proxy?: OutboundProxy | undefined;
  /** Called in the turn in which a connection is opened, after any wait; false if another process may act by then. */
  mayAct?: () => boolean;
}

/**
 * Sends requests to addresses that strangers name, and only to allowed destinations. Callbacks and documents of clients
 * rely on it.
 */
export interface Outbound {
  hosts: HostRules;
  /**
   * Sends a request to the host's addresses of this moment, if they are allowed; apart from DNS queries, no packet goes
   * anywhere else. Never rejects for a fault of the peer.
   * @throws Error if this process may not act
   */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Aborts the requests that are not written yet; they are rejected as `mayAct` would refuse them. */
  abandonUnwritten(): void;
  /** Aborts the requests under way, and refuses further ones. */
  close(): void;
}

export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { allowHosts = [], authorities, dnsServers, deadlineMs = DEADLINE_MS, proxy, mayAct = () => true } = options;
  const hosts = createHostRules(allowHosts);
  const secureContext =
    authorities === undefined
      ? undefined
      : tls.createSecureContext({ ca: [...tls.getCACertificates('default'), authorities] });
  const underWay = new Set<AbortController>();
  const unwritten = new Set<AbortController>();
  let isClosed = false;
  const sendUntil = async (
    request: OutboundRequest,
    signal: AbortSignal,
    connected: () => void,
  ): Promise<OutboundAnswer> => {
    const addresses = await destinationOf(new URL(request.url), { hosts, dnsServers }, signal);
    if (signal.aborted) return { kind: 'unreachable', failure: 'timeout' };
    if (addresses.length === 0) return { kind: 'unreachable', failure: 'connection_refused' };
    requireRight(mayAct);
    const url = new URL(request.url);
    // Exempt hosts are in the own network.
    const target = { host: hostOf(url), port: url.port === '' ? HTTPS_PORT : Number(url.port) };
    const via = url.protocol === 'https:' && !hosts.isExempt(url) ? proxyFor(target, proxy) : undefined;
    const tunnel = via === undefined ? undefined : { proxy: via, port: target.port };
    return exchange(request, addresses, { secureContext, signal, tunnel, connected });
  };
  return {
    hosts,
    send: async (request) => {
      const end = new AbortController();
      underWay.add(end);
      unwritten.add(end);
      if (isClosed) end.abort();
      const deadline = setTimeout(() => end.abort(), deadlineMs);
      try {
        const answer = await sendUntil(request, end.signal, () => void unwritten.delete(end));
        if (end.signal.reason === ABANDONED) throw refused();
        return answer;
      } finally {
        clearTimeout(deadline);
        underWay.delete(end);
        unwritten.delete(end);
      }
    },
    abandonUnwritten: () => {
      for (const end of unwritten) end.abort(ABANDONED);
    },
    close: () => {
      isClosed = true;
      for (const end of underWay) end.abort();
    },
  };
}

/** Reason of the end of an abandoned request. */
const ABANDONED = new Error('the request was abandoned before it was written');

const refused = (): Error => new Error('this process may not send a request now: another one may have the database');

function requireRight(mayAct: () => boolean): void {
  if (!mayAct()) throw refused();
}
