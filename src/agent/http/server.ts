import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { bearerToken } from '../../kernel/http/bearer.ts';
import type { Logger } from '../../kernel/logger.ts';
import { codingFor } from './accept-encoding.ts';
import { type Answer, jsonAnswer, send } from './answer.ts';
import { AnswersUnderWay } from './answers-under-way.ts';
import { ConnectionDeadlines } from './connection-deadlines.ts';
import { CONNECTIONS_MAX, ConnectionsOfPeers } from './connections-of-peers.ts';
import { RefusalLog } from './refusal-log.ts';
import { createRoutes, type ReportSources } from './routes.ts';

/** Room for 64 names of units with 255 characters, each of which may be written as three. @spec agent#limits */
const HEADERS_MAX_BYTES = 64 * 1024;

/** Node's own deadlines are off, and its check of them runs as rarely as a timer allows: see `ConnectionDeadlines`. */
const NO_DEADLINES = {
  headersTimeout: 0,
  requestTimeout: 0,
  keepAliveTimeout: 0,
  connectionsCheckingInterval: 2 ** 31 - 1,
} as const;

/** Limit of open sockets, above that of connections: refused ones stay open until the system has closed them. */
const SOCKETS_MAX = 2 * CONNECTIONS_MAX;
const REQUESTS_PER_CONNECTION_MAX = 1_000;

export interface AgentServerParts {
  sources: ReportSources;
  /** Whether a request's token is the one of the configuration in force. */
  isToken: (presented: string | undefined) => boolean;
  clock: Clock;
  log: Logger;
}

export interface AgentServer {
  server: Server;
  /** Call it when the server stops listening: connections without a pending request are soon closed. */
  hurry(): void;
}

/** The agent's whole interface; the caller makes it listen. @spec agent#endpoints */
export function createAgentServer({ sources, isToken, clock, log }: AgentServerParts): AgentServer {
  const routes = createRoutes(sources);
  const refusals = new RefusalLog(clock, log);
  const underWay = new AnswersUnderWay();
  const deadlines = new ConnectionDeadlines(clock);
  const peers = new ConnectionsOfPeers<Socket>((socket) => deadlines.isQuiet(socket));

  function answer(request: IncomingMessage): Answer | Promise<Answer> {
    const { path, query } = targetOf(request.url ?? '/');
    const route = routes.get(path);
    if (route === undefined) return last(jsonAnswer(404, { error: 'not found' }));
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return last(jsonAnswer(405, { error: 'method not allowed' }, { allow: 'GET, HEAD' }));
    }
    if (route.needsToken && !isToken(bearerToken(request.headers.authorization))) {
      refusals.note(request.socket.remoteAddress);
      return last(jsonAnswer(401, { error: 'unauthorized' }, { 'www-authenticate': 'Bearer' }));
    }
    if (route.needsToken) peers.trust(request.socket);
    return route.answer({ query, coding: codingFor(request.headers['accept-encoding']), nowMs: clock.now() });
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let found: Answer;
    try {
      found = await answer(request);
    } catch (error) {
      log.error({ err: error }, 'could not answer');
      found = jsonAnswer(500, { error: 'internal error' });
    }
    const isEnding = !server.listening || underWay.isRefused(request);
    send(request, response, { answer: found, nowMs: clock.now(), isEnding });
    deadlines.sent(request.socket);
  }

  // With joined duplicates a second Authorization header makes the first one invalid; otherwise it would be ignored.
  const options = { ...NO_DEADLINES, maxHeaderSize: HEADERS_MAX_BYTES, joinDuplicateHeaders: true };
  const server = createServer(options, (request, response) => {
    const { socket } = request;
    // Pipelined requests still arrive after their connection was destroyed.
    if (socket.destroyed || !underWay.add(request, response)) {
      stopParsing(socket);
      return;
    }
    deadlines.asked(socket);
    response.once('close', () => deadlines.answered(socket));
    void respond(request, response);
  });
  server.on('connection', (socket) => {
    if (peers.add(socket)) deadlines.opened(socket);
    else socket.destroy();
  });
  server.maxConnections = SOCKETS_MAX;
  server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION_MAX;
  return { server, hurry: () => deadlines.hurry() };
}

/** Return value that makes Node's parser expect no further requests; Node itself uses it for upgrade requests. */
const NO_MORE_REQUESTS = 2;

/**
 * Leaves the rest of what was read from a connection alone. Node reads 64 KiB in one go, and hands on some 2,500 short
 * requests before anything else of the process has a turn. No documented interface of Node's stops that: should the
 * parser become another one, they are handed on and not answered, which costs half as much as answering them.
 */
function stopParsing(socket: Socket & { parser?: { onIncoming?: () => number } | null }): void {
  const { parser } = socket;
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => NO_MORE_REQUESTS;
}

/** Ends the connection after the answer: a stranger must not have thousands of requests answered. */
const last = (answer: Answer): Answer => ({ ...answer, isLast: true });

/** Path and query of a request target, also of the absolute form that proxies send. @see RFC 9112 §3.2 */
function targetOf(url: string): { path: string; query: string } {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
  const question = target.indexOf('?');
  return question === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, question), query: target.slice(question + 1) };
}
