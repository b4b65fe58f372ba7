import {
  createMcpHandler,
  isLegacyRequest,
  type McpHandlerRequestOptions,
  type McpServer,
  type ScopeChallenge,
  validateHostHeader,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ConnectorError } from '../errors.ts';
import type { GuardedRoute } from '../http/guarded-route.ts';
import { requesterOf } from '../http/requester.ts';
import { FreeServers } from './free-servers.ts';
import { createServer, type McpOptions } from './mcp-server.ts';
import { recordCalls } from './record-calls.ts';
import { challengeResponse, scopeChallenge } from './scope-challenge.ts';
import { wayIn } from './signposts.ts';
import { acceptJson, dropCancellations, dropNulls } from './tolerance.ts';
import { ToolCalls } from './tool-calls.ts';
import { answerByWeb, type WebHandler } from './web-exchange.ts';

/** Largest body. A request is a tool call with a message or a few words, far below this. */
const BODY_MAX_BYTES = 256 * 1024;

/** Most messages of one request, in the one older revision that sends several. */
const BATCH_MAX_MESSAGES = 20;

const SECOND_MS = 1_000;

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

/**
 * Methods that pages of other origins may call with. The endpoint serves only POST; clients try GET and DELETE, and act
 * on the refusal.
 */
const ASKED_METHODS = ['POST', 'GET', 'DELETE'];

export interface EndpointOptions extends McpOptions {
  baseUrl: string;
  /** Origins of web pages that may call the endpoint; read at each request. */
  corsOrigins: () => readonly string[];
}

/** The MCP endpoint, for both protocol eras, with JSON answers in both. @spec connector#discovery-and-service-endpoints */
export function mcpRoute(options: EndpointOptions): GuardedRoute {
  const { baseUrl, corsOrigins } = options;
  const resourceMetadata = resourceMetadataUrl(baseUrl);
  const handler = createHandler(options);
  const isAllowedPage = (origin: string): boolean => corsOrigins().includes(origin);
  return {
    method: 'post',
    // The router takes the path with a slash at its end, too.
    path: '/mcp',
    // The scope that a call needs depends on its tool.
    guard: { token: { resourceMetadata } },
    speaks: 'jsonrpc',
    crossOrigin: { mayCall: isAllowedPage, methods: ASKED_METHODS },
    before: [refuseOtherSites(baseUrl, isAllowedPage)],
    bodyMaxBytes: BODY_MAX_BYTES,
    handlers: [
      boundBatch,
      dropCancellations,
      dropNulls,
      refuseUnoffered,
      acceptJson,
      async (req: Request, res: Response) => {
        const { token, accountId, ...rest } = requesterOf(res);
        const startedAt = options.clock.monotonic();
        const calls = countToolCalls(req, res, options);
        const auth = { token, ...rest, resourceMetadataUrl: resourceMetadata, extra: { accountId, calls } };
        const answer = await answerByWeb(handler, { url: `${baseUrl}/mcp`, auth }, req, res);
        if (options.records === undefined) return;
        const ms = options.clock.monotonic() - startedAt;
        recordCalls(options.records, res, { body: req.body, answer, calls, ms });
      },
    ],
    otherMethods: wayIn(baseUrl),
  };
}

const resourceMetadataUrl = (baseUrl: string): string => `${baseUrl}/.well-known/oauth-protected-resource/mcp`;

/** Protects from DNS rebinding: another site's page must not reach the tools from a person's browser or network. */
function refuseOtherSites(baseUrl: string, isAllowedPage: (origin: string) => boolean): RequestHandler {
  const { hostname } = new URL(baseUrl);
  const hosts = [hostname, ...LOOPBACK];
  const origins = LOOPBACK.includes(hostname) ? LOOPBACK : [hostname];
  return ({ headers: { host, origin } }, _res, next) => {
    const isOwnHost = validateHostHeader(host, hosts).ok;
    const isOwnPage = validateOriginHeader(origin, origins).ok;
    if (!isOwnHost || !(isOwnPage || (origin !== undefined && isAllowedPage(origin)))) {
      throw new ConnectorError(
        'origin_refused',
        'this endpoint is not for pages of other sites, nor under another host name',
      );
    }
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
    const challenge = challengeOfMethods(options, extra);
    if (challenge !== undefined) return challengeResponse(challenge, resourceMetadataUrl(options.baseUrl));
    if (!(await isLegacyRequest(request, extra.parsedBody))) return modern.fetch(request, extra);
    // A negotiation leaves its state in the server, so such a server serves only this request.
    return serveLegacy(isNegotiation(extra.parsedBody) ? createServer(options) : olderServers.take(), request, extra);
  };
}

/** Checks the scopes of our methods; the library checks only those of tools. */
function challengeOfMethods(
  { methods, settings }: EndpointOptions,
  { parsedBody, authInfo }: McpHandlerRequestOptions,
): ScopeChallenge | undefined {
  const called = new Set([parsedBody].flat().map((message) => (message as { method?: unknown } | null)?.method));
  return methods
    .filter(({ name }) => called.has(name))
    .map(({ scope }) => scopeChallenge(scope, authInfo, settings.settingsUrl))
    .find((challenge) => challenge !== undefined);
}

function isNegotiation(body: unknown): boolean {
  return [body].flat().some((message) => (message as { method?: unknown } | null)?.method === 'initialize');
}

/** The library's own handler of the older protocol always streams; this does the same without streams. */
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
