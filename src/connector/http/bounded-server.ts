import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Our own limits: decision 55. */
export interface ServerLimits {
  /** Most connections without an answer under way; one more closes the one that has been idle for longest. */
  waitingMax: number;
  /**
   * Most connections in total; one more is closed at once. Only requests that are being answered can be so many, of
   * many accounts or addresses.
   */
  connectionsMax: number;
  /** Time from the opening of the connection, or the first byte of a later request, to the last header. */
  headersMs: number;
  /** Time to the last byte of the body, which a person may send from afar by a slow line. */
  requestMs: number;
  /** Time without a byte in either direction, also while a request is answered; longer than any answer takes. */
  silentMs: number;
  /**
   * Time that a connection stays open after an answer. Longer than proxies keep a connection: else a proxy would send a
   * request just as it is closed here.
   */
  keepAliveMs: number;
  /** Interval of the check for connections whose time is over. */
  checkMs: number;
}

const SERVER_LIMITS: ServerLimits = {
  waitingMax: 1_000,
  connectionsMax: 4_000,
  headersMs: 15_000,
  requestMs: 60_000,
  silentMs: 120_000,
  keepAliveMs: 125_000,
  checkMs: 5_000,
};

/** Creates a server that stays available although some clients open connections and send no requests. */
export function createBoundedServer(handler: RequestListener, limits: ServerLimits = SERVER_LIMITS): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    handler,
  );
  server.timeout = limits.silentMs;
  server.maxConnections = limits.connectionsMax;
  boundWaiting(server, limits.waitingMax);
  return server;
}

function boundWaiting(server: Server, waitingMax: number): void {
  // Connections in the order of their last activity, the longest idle one first.
  const answersOf = new Map<Socket, Set<ServerResponse>>();
  const moveToEnd = (socket: Socket): Set<ServerResponse> | undefined => {
    const answers = answersOf.get(socket);
    if (answers !== undefined && answersOf.delete(socket)) answersOf.set(socket, answers);
    return answers;
  };
  server.on('connection', (socket) => {
    answersOf.set(socket, new Set());
    socket.once('close', () => answersOf.delete(socket));
    const oldest = answersOf.size > waitingMax ? oldestTooMany(answersOf, waitingMax) : undefined;
    if (oldest === undefined) return;
    answersOf.delete(oldest);
    oldest.destroy();
  });
  server.on('request', ({ socket }, res) => {
    moveToEnd(socket)?.add(res);
    res.once('close', () => moveToEnd(socket)?.delete(res));
  });
}

/** The longest idle waiting connection, if more wait than `waitingMax`. */
function oldestTooMany(
  answersOf: ReadonlyMap<Socket, ReadonlySet<ServerResponse>>,
  waitingMax: number,
): Socket | undefined {
  let oldest: Socket | undefined;
  let waiting = 0;
  for (const [socket, answers] of answersOf) {
    if (answers.size > 0 && [...answers].some(isBeingAnswered)) continue;
    oldest ??= socket;
    waiting += 1;
  }
  return waiting > waitingMax ? oldest : undefined;
}

/**
 * Whether the answer is being made: the request has come in whole, and the answer is not complete. A peer that does not
 * take a complete answer counts as waiting.
 */
const isBeingAnswered = ({ req, writableEnded }: ServerResponse): boolean => req.complete && !writableEnded;
