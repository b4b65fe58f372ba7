import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** Ours: decisions/0055. */
export interface ServerLimits {
  /** Connections on which nobody has asked for anything, or not all of it has come; for a further one the oldest is closed. */
  waitingMax: number;
  /** Connections at all; a further one is closed at once. Only requests that are being answered can be so many. */
  connectionsMax: number;
  /** From the first byte, or the opening of the connection, to the last header. */
  headersMs: number;
  /** To the last byte of the body, which a person may send from afar by a slow line. */
  requestMs: number;
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
  server.maxConnections = limits.connectionsMax;
  boundWaiting(server, limits.waitingMax);
  return server;
}

function boundWaiting(server: Server, waitingMax: number): void {
  // Those that have waited longest come first.
  const waiting = new Set<Socket>();
  const wait = (socket: Socket): void => {
    waiting.add(socket);
    const [oldest] = waiting;
    if (waiting.size > waitingMax) oldest?.destroy();
  };
  server.on('connection', (socket) => {
    socket.once('close', () => waiting.delete(socket));
    wait(socket);
  });
  server.on('request', (req, res) => {
    const { socket } = req;
    const heardOut = (): void => void waiting.delete(socket);
    if (hasBody(req)) req.once('end', heardOut);
    else heardOut();
    res.once('close', () => {
      heardOut();
      if (!socket.destroyed) wait(socket);
    });
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
