import {
  bearerAuthChallengeResponse,
  createMcpHandler,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type McpServer,
  OAuthError,
  OAuthErrorCode,
  validateHostHeader,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { DEFAULT_SCOPE, type Scope } from '../domain/scope.ts';
import { ConnectorError } from '../errors.ts';
import { requesterOf } from '../http/exchange.ts';
import type { GuardedRoute } from '../http/guarded-route.ts';
import { FreeServers } from './free-servers.ts';
import type { Method } from './methods/define-method.ts';
import { createServer, type McpOptions } from './server.ts';
import { ToolCalls } from './tool-calls.ts';
import { answerByWeb, type WebHandler } from './web-exchange.ts';

/** A request is a tool call with a message or a few words; far below this. */
const BODY_MAX_BYTES = 256 * 1024;

/** Messages of one request, in the one older revision that sends several. */
const BATCH_MAX_MESSAGES = 20;

const SECOND_MS = 1_000;

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

const CANCELLATION = 'notifications/cancelled';

const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

export interface EndpointOptions extends McpOptions {
  baseUrl: string;
}

/** The MCP endpoint, for both protocol eras, with JSON answers in both. @spec connector#discovery-and-service-endpoints */
export function mcpRoute(options: EndpointOptions): GuardedRoute {
  const { baseUrl } = options;
  const resourceMetadata = resourceMetadataUrl(baseUrl);
  const handler = createHandler(options);
  return {
    method: 'post',
    // With a slash at the end, too: the router takes both.
    path: '/mcp',
    // Which scope a call needs depends on its tool.
    guard: { token: { challenge: { scope: DEFAULT_SCOPE, resourceMetadata } } },
    speaks: 'jsonrpc',
    before: [refuseOtherSites(baseUrl)],
    bodyMaxBytes: BODY_MAX_BYTES,
    handlers: [
      boundBatch,
      dropCancellations,
      refuseUnoffered,
      acceptJson,
      async (req: Request, res: Response) => {
        const { token, accountId, ...rest } = requesterOf(res);
        const extra = { accountId, calls: countToolCalls(req, res, options) };
        const auth = { token, ...rest, resourceMetadataUrl: resourceMetadata, extra };
        await answerByWeb(handler, { url: `${baseUrl}/mcp`, auth }, req, res);
      },
    ],
  };
}

const resourceMetadataUrl = (baseUrl: string): string => `${baseUrl}/.well-known/oauth-protected-resource/mcp`;

/** DNS rebinding: another site's page must not reach the tools from a person's browser or network. */
function refuseOtherSites(baseUrl: string): RequestHandler {
  const { hostname } = new URL(baseUrl);
  const hosts = [hostname, ...LOOPBACK];
  const origins = LOOPBACK.includes(hostname) ? LOOPBACK : [hostname];
  return ({ headers }, _res, next) => {
    const isOurs = validateHostHeader(headers.host, hosts).ok && validateOriginHeader(headers.origin, origins).ok;
    if (!isOurs)
      throw new ConnectorError(
        'origin_refused',
        'this endpoint is not for pages of other sites, nor under another host name',
      );
    next();
  };
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
    const lacking = lackingScope(options.methods, extra);
    if (lacking !== undefined) return scopeChallenge(lacking, options.baseUrl);
    if (!(await isLegacyRequest(request, extra.parsedBody))) return modern.fetch(request, extra);
    // A negotiation leaves its state in the server, so such a server serves only this request.
    return serveLegacy(isNegotiation(extra.parsedBody) ? createServer(options) : olderServers.take(), request, extra);
  };
}

/** The library checks scopes of tools, and knows nothing of those of methods. */
function lackingScope(
  methods: readonly Method[],
  { parsedBody, authInfo }: McpHandlerRequestOptions,
): Scope | undefined {
  const called = new Set([parsedBody].flat().map((message) => (message as { method?: unknown } | null)?.method));
  return methods.find(({ name, scope }) => called.has(name) && authInfo?.scopes.includes(scope) !== true)?.scope;
}

/** In the words in which the library asks for the scope of a tool. */
function scopeChallenge(scope: Scope, baseUrl: string): globalThis.Response {
  return bearerAuthChallengeResponse(new OAuthError(OAuthErrorCode.InsufficientScope, 'Insufficient scope'), {
    requiredScopes: [scope],
    resourceMetadataUrl: resourceMetadataUrl(baseUrl),
  });
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

/** Without a bound, a request of a few kilobytes could be thousands of calls. */
function boundBatch({ body }: Request, _res: Response, next: NextFunction): void {
  if (Array.isArray(body) && body.length > BATCH_MAX_MESSAGES) {
    throw new ConnectorError('request_malformed', `send at most ${BATCH_MAX_MESSAGES} messages at once`);
  }
  next();
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

function countToolCalls({ body }: Request, res: Response, { measurements, clock }: McpOptions): ToolCalls {
  const calls = new ToolCalls(body);
  const startedAt = clock.monotonic();
  res.once('close', () => calls.answered(measurements, (clock.monotonic() - startedAt) / SECOND_MS));
  return calls;
}

const errorBody = (code: number, message: string, id: unknown = null) => ({
  jsonrpc: '2.0',
  id: typeof id === 'string' || typeof id === 'number' ? id : null,
  error: { code, message },
});
