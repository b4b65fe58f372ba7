import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Ours: decisions/0055. */
export interface ServerLimits {
  /** Connections on which nothing is being answered; for a further one the one is closed that has done nothing for longest. */
  waitingMax: number;
  /** Connections at all; a further one is closed at once. Only requests that are being answered can be so many, of many accounts or addresses. */
  connectionsMax: number;
  /** From the opening of the connection, or the first byte of a later request, to the last header. */
  headersMs: number;
  /** To the last byte of the body, which a person may send from afar by a slow line. */
  requestMs: number;
  /** Without a byte in either direction, also while a request is answered: longer than any answer takes. */
  silentMs: number;
  /** After an answer. Longer than proxies keep a connection: else one would ask on it just as it is closed here. */
  keepAliveMs: number;
  /** How often it is looked whose time is over. */
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

/** A server whom nobody keeps from others by connections on which they ask for nothing. */
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
  // Whoever has done nothing for longest comes first.
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

/** The first that waits, where more wait than may. */
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

/** Not while the request still comes, nor when its answer is made and the other side does not take it. */
const isBeingAnswered = ({ req, writableEnded }: ServerResponse): boolean => req.complete && !writableEnded;
