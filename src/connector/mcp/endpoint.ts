import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/express';
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import express, { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { bearerToken } from '../../kernel/http/bearer.ts';
import { DEFAULT_SCOPE } from '../domain/scope.ts';
import type { VerifyToken } from '../domain/verified-token.ts';
import { FreeServers } from './free-servers.ts';
import { createServer, type McpOptions } from './server.ts';
import { ToolCalls } from './tool-calls.ts';
import { answerByWeb, type WebHandler } from './web-exchange.ts';

/** A request is a tool call with a message or a few words; far below this. */
const BODY_MAX_BYTES = 256 * 1024;

/** Messages of one request, in the one older revision that sends several. */
const BATCH_MAX_MESSAGES = 20;

const SECOND_MS = 1_000;

const PATHS = ['/mcp', '/mcp/'];
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

const CANCELLATION = 'notifications/cancelled';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

export interface EndpointOptions extends McpOptions {
  baseUrl: string;
  verifyToken: VerifyToken;
  /** Counts the requests of a client once it is known. */
  limitClient: (refuse: (req: Request, res: Response, retryAfterSeconds: number) => void) => RequestHandler;
}

type AuthorizedRequest = Request & { auth?: AuthInfo };

/** The MCP endpoint, for both protocol eras, with JSON answers in both. @spec connector#discovery-and-service-endpoints */
export function createMcpRouter(options: EndpointOptions): Router {
  const { hostname } = new URL(options.baseUrl);
  const isLoopback = LOOPBACK.includes(hostname);
  const handler = createHandler(options);
  const router = Router({ strict: true });
  router.post(
    PATHS,
    // DNS rebinding: another site's page must not reach the tools from a person's browser or network.
    hostHeaderValidation([hostname, ...LOOPBACK]),
    originValidation(isLoopback ? LOOPBACK : [hostname]),
    requireToken(options),
    options.limitClient((_req, res, retryAfterSeconds) => {
      const message = `this client has asked more than it may in a minute: try again in ${retryAfterSeconds} s`;
      res.status(429).json(errorBody(INVALID_REQUEST, message));
    }),
    express.json({ limit: BODY_MAX_BYTES, strict: false, reviver: plainKey }),
    boundBatch,
    dropCancellations,
    refuseUnoffered,
    acceptJson,
    async (req: AuthorizedRequest, res: Response) => {
      countToolCalls(req, res, options);
      await answerByWeb(handler, `${options.baseUrl}/mcp`, req, res);
    },
    malformedBody,
  );
  router.all(PATHS, (_req, res) => {
    res.status(405).set('Allow', 'POST').json(errorBody(INVALID_REQUEST, 'use POST'));
  });
  return router;
}

function createHandler(options: EndpointOptions): WebHandler {
  const [servers, olderServers] = [
    new FreeServers(() => createServer(options)),
    new FreeServers(() => createServer(options)),
  ];
  const modern = createMcpHandler(() => servers.take(), {
    legacy: 'reject',
    onerror: (error) => options.log.debug({ err: error }, 'mcp request refused'),
  });
  return async (request, extra = {}) => {
    if (!(await isLegacyRequest(request, extra.parsedBody))) return modern.fetch(request, extra);
    // A negotiation leaves its state in the server, so such a server serves only this request.
    return serveLegacy(isNegotiation(extra.parsedBody) ? createServer(options) : olderServers.take(), request, extra);
  };
}

function isNegotiation(body: unknown): boolean {
  return [body].flat().some((message) => (message as { method?: unknown } | null)?.method === 'initialize');
}

/** The library's own legacy leg always streams; this is the same without streams. */
async function serveLegacy(
  server: McpServer,
  request: globalThis.Request,
  extra: McpHandlerRequestOptions,
): Promise<globalThis.Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    return await transport.handleRequest(request, extra);
  } finally {
    await server.close();
  }
}

/** @see RFC 6750 §3 */
function requireToken({ baseUrl, verifyToken }: EndpointOptions) {
  const resourceMetadataUrl = `${baseUrl}/.well-known/oauth-protected-resource/mcp`;
  const metadata = `resource_metadata="${resourceMetadataUrl}", scope="${DEFAULT_SCOPE}"`;
  return async function bearer(req: AuthorizedRequest, res: Response, next: NextFunction): Promise<void> {
    const token = bearerToken(req.headers.authorization);
    const verified = token === undefined ? undefined : await verifyToken(token);
    if (token !== undefined && verified !== undefined) {
      const { accountId, ...rest } = verified;
      req.auth = { token, ...rest, resourceMetadataUrl, extra: { accountId } };
      res.locals['requester'] = `${accountId} ${rest.clientId}`;
      next();
      return;
    }
    if (typeof res.locals['refuseAddress'] === 'function') {
      res.locals['refuseAddress']();
      return;
    }
    const isPresented = req.headers.authorization !== undefined;
    const error = isPresented ? 'error="invalid_token", error_description="the access token is not valid", ' : '';
    res.status(401).set('WWW-Authenticate', `Bearer ${error}${metadata}`);
    res.json({
      error: isPresented ? 'invalid_token' : 'unauthorized',
      error_description: 'present an access token of this server',
    });
  };
}

/** Without a bound, a request of a few kilobytes could be thousands of calls. */
function boundBatch({ body }: Request, res: Response, next: NextFunction): void {
  if (!Array.isArray(body) || body.length <= BATCH_MAX_MESSAGES) next();
  else res.status(400).json(errorBody(INVALID_REQUEST, `send at most ${BATCH_MAX_MESSAGES} messages at once`));
}

/**
 * A request is answered whole or not at all, so nothing can be cancelled. In a batch a cancelled
 * call would have no answer, and the library would wait for it for ever.
 */
function dropCancellations(req: Request, res: Response, next: NextFunction): void {
  const { body } = req;
  if (Array.isArray(body)) req.body = body.filter((message) => message?.method !== CANCELLATION);
  if (Array.isArray(body) && body.length > 0 && req.body.length === 0) res.status(202).end();
  else next();
}

/**
 * The library would keep a stream open for changes that never come. It would also accept any cursor for a list that has
 * only one page.
 */
function refuseUnoffered({ body }: Request, res: Response, next: NextFunction): void {
  const { id, method, params } = (body ?? {}) as { id?: unknown; method?: unknown; params?: { cursor?: unknown } };
  if (method === 'subscriptions/listen') res.status(404).json(errorBody(METHOD_NOT_FOUND, 'Method not found', id));
  else if (method === 'tools/list' && params?.cursor !== undefined) {
    res.json(errorBody(INVALID_PARAMS, 'this cursor is not one of this server: the list has one page', id));
  } else next();
}

/** Every answer is JSON, so a client that accepts only JSON can be served; the library would refuse it. */
function acceptJson(req: Request, _res: Response, next: NextFunction): void {
  if (req.accepts('application/json') !== false) req.headers.accept = 'application/json, text/event-stream';
  next();
}

function countToolCalls(req: AuthorizedRequest, res: Response, { measurements, clock }: McpOptions): void {
  const calls = new ToolCalls(req.body);
  const startedAt = clock.monotonic();
  res.once('close', () => calls.answered(measurements, (clock.monotonic() - startedAt) / SECOND_MS));
  if (req.auth !== undefined) req.auth.extra = { ...req.auth.extra, calls };
}

/** Refuses `__proto__`: a schema does not see this key, so even a strict one would accept it. @throws SyntaxError */
function plainKey(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('a key is named __proto__');
  return value;
}

/** Answers a body that the parser refuses with a JSON-RPC error. */
function malformedBody(error: unknown, _req: Request, res: Response, next: NextFunction): void {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : undefined;
  if (status === 400) res.status(400).json(errorBody(PARSE_ERROR, 'the body is not JSON, or has a key __proto__'));
  else if (status === 413) res.status(413).json(errorBody(INVALID_REQUEST, `the body is over ${BODY_MAX_BYTES} bytes`));
  else if (status === 415) res.status(415).json(errorBody(INVALID_REQUEST, 'send the body as plain UTF-8 JSON'));
  else next(error);
}

const errorBody = (code: number, message: string, id: unknown = null) => ({
  jsonrpc: '2.0',
  id: typeof id === 'string' || typeof id === 'number' ? id : null,
  error: { code, message },
});
