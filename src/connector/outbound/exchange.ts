import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import tls, { type SecureContext } from 'node:tls';
import { hostOf } from './host-rules.ts';
import { type OutboundProxy, openTunnel } from './proxy.ts';
import type { ResolvedAddress } from './resolve.ts';

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Most bytes that are read of the answer's body. */
  answerBytesMax: number;
}

/** Why there is no answer; `no_answer`: a connection was made, but the peer sent no HTTP. */
export type Unreachable = 'connection_refused' | 'timeout' | 'tls_error' | 'no_answer';

export type OutboundAnswer =
  | {
      kind: 'answered';
      status: number;
      headers: IncomingHttpHeaders;
      /** Undefined if it was longer than allowed, or did not end in time. */
      body: string | undefined;
    }
  | { kind: 'unreachable'; failure: Unreachable };

/** Time after which the host's next address is tried; Node's own is too short for a receiver on another continent. */
const ADDRESS_DEADLINE_MS = 1_500;
/** Longest wait for a proxy to connect to one of several addresses: it may not reach those of one family. */
const TUNNEL_DEADLINE_MS = 3_000;

/** One connection a request, without a proxy that the agent finds itself: it would resolve the name again. */
const CONNECTIONS = { keepAlive: false, autoSelectFamilyAttemptTimeout: ADDRESS_DEADLINE_MS } as const;
const httpAgent = new HttpAgent(CONNECTIONS);
const httpsAgent = new HttpsAgent({ ...CONNECTIONS, maxCachedSessions: 0 });

/**
 * Most interim answers, which are not needed here: a peer that sends them without end would occupy the thread until the
 * deadline.
 */
const INTERIM_ANSWERS_MAX = 8;

/** The state of a request, which classifies its failure. */
type Stage = 'connecting' | 'encrypting' | 'connected';

/** The way of a request to its destination. */
export interface Way {
  secureContext: SecureContext | undefined;
  /** Aborts the request, for example at its deadline. */
  signal: AbortSignal;
  /** Called before the request itself is written, when its connection stands. */
  connected?: () => void;
  /** Tunnels an encrypted request through a proxy to the given addresses, at this port. */
  tunnel?: { proxy: OutboundProxy; port: number } | undefined;
}

/** Sends one request to one of the given addresses, and follows no redirect. */
export async function exchange(
  request: OutboundRequest,
  addresses: readonly ResolvedAddress[],
  way: Way,
): Promise<OutboundAnswer> {
  if (way.tunnel === undefined) return sendOver(request, addresses, way, undefined);
  const socket = await tunnelTo(addresses, way.tunnel, way.signal);
  if (socket !== undefined) return sendOver(request, addresses, way, socket);
  return { kind: 'unreachable', failure: way.signal.aborted ? 'timeout' : 'connection_refused' };
}

/** Opens a tunnel to the first address that the proxy reaches. */
async function tunnelTo(
  addresses: readonly ResolvedAddress[],
  { proxy, port }: NonNullable<Way['tunnel']>,
  signal: AbortSignal,
): Promise<Socket | undefined> {
  for (const [index, { address }] of addresses.entries()) {
    if (signal.aborted) return undefined;
    const isLast = index === addresses.length - 1;
    const own = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(TUNNEL_DEADLINE_MS)]);
    try {
      return await openTunnel(proxy, { host: address, port }, own);
    } catch {
      // The proxy may reach the next address.
    }
  }
  return undefined;
}

function sendOver(
  { url: text, method, headers, body, answerBytesMax }: OutboundRequest,
  addresses: readonly ResolvedAddress[],
  { secureContext, signal, connected }: Way,
  socket: Socket | undefined,
): Promise<OutboundAnswer> {
  const url = new URL(text);
  const isEncrypted = url.protocol === 'https:';
  const options = {
    method,
    host: hostOf(url),
    port: url.port === '' ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    lookup: answering(addresses),
    signal,
  };
  const { promise, resolve } = Promise.withResolvers<OutboundAnswer>();
  let isAnswered = false;
  const answered = (response: IncomingMessage): void => {
    isAnswered = true;
    const { statusCode: status = 0, headers: fields } = response;
    void readBody(response, answerBytesMax).then((read) =>
      resolve({ kind: 'answered', status, headers: fields, body: read }),
    );
  };
  const request = isEncrypted
    ? requestHttps({ ...options, ...secure(url, secureContext, socket), rejectUnauthorized: true }, answered)
    : requestHttp({ ...options, agent: httpAgent }, answered);
  let stage: Stage = socket === undefined ? 'connecting' : 'encrypting';
  request.on('socket', (socket) => {
    socket.once('connect', () => {
      stage = isEncrypted ? 'encrypting' : 'connected';
      if (!isEncrypted) connected?.();
    });
    socket.once('secureConnect', () => {
      stage = 'connected';
      connected?.();
    });
  });
  const failed = (error?: Error): void => {
    // An error after the head of the answer ends only the reading of its body.
    if (!isAnswered) resolve({ kind: 'unreachable', failure: signal.aborted ? 'timeout' : failureAt(stage, error) });
  };
  request.on('error', failed);
  let interimCount = 0;
  request.on('information', () => {
    interimCount += 1;
    if (interimCount > INTERIM_ANSWERS_MAX) request.destroy();
  });
  // This also fails a peer that switches protocols.
  request.on('close', () => failed());
  request.end(body);
  return promise;
}

/** Options of an encrypted request, over the tunnel if there is one. */
function secure(url: URL, secureContext: SecureContext | undefined, socket: Socket | undefined) {
  const context = secureContext && { secureContext };
  if (socket === undefined) return { agent: httpsAgent, ...context };
  const host = hostOf(url);
  const encrypted = () => tls.connect({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}), ...context });
  // The options name no agent: it would connect by itself.
  return { createConnection: encrypted };
}

/** A lookup that returns the vetted addresses, so that the host is not resolved a second time. */
const answering =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else if (first === undefined) callback(new Error('no address'), '');
    else callback(null, first.address, first.family);
  };

function failureAt(stage: Stage, error: NodeJS.ErrnoException | undefined): Unreachable {
  if (stage === 'encrypting') return 'tls_error';
  if (stage === 'connected') return 'no_answer';
  return error?.code === 'ETIMEDOUT' ? 'timeout' : 'connection_refused';
}

/** Returns the body; undefined if it is too long or does not end. */
async function readBody(response: IncomingMessage, bytesMax: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      byteCount += chunk.length;
      // Leaving the loop ends the connection.
      if (byteCount > bytesMax) return undefined;
      chunks.push(chunk);
    }
  } catch {
    // The connection broke: the body counts as unread.
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}
