import express, { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import { messageOf } from '../../kernel/errors.ts';
import { bearerToken } from '../../kernel/http/bearer.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Caller } from '../domain/account.ts';
import type { Scope } from '../domain/scope.ts';
import type { VerifyToken } from '../domain/verified-token.ts';
import { ConnectorError, httpStatusOf, RetryLater, tooManyRequests } from '../errors.ts';
import type { Services } from '../services/index.ts';
import type { RequestPart, Route } from './define-route.ts';
import { routes } from './index.ts';
import { describeInterface } from './openapi.ts';

/** A message of 400 characters takes a few kilobytes at most, however it is escaped. */
const BODY_MAX_BYTES = 16 * 1024;

const DESCRIPTION_MAX_AGE_SECONDS = 3_600;

export interface RestOptions {
  baseUrl: string;
  services: Services;
  verifyToken: VerifyToken;
  /** Counts the requests of a client once it is known. */
  limitClient: (refuse: RefuseRequest) => RequestHandler;
  log: Logger;
}

type RefuseRequest = (req: Request, res: Response, retryAfterSeconds: number) => void;

/** The REST interface and its description. @spec connector#rest-irc-endpoints */
export function createRestRouter(options: RestOptions): Router {
  const router = Router();
  const description = describeInterface(options.baseUrl, routes);
  router.get('/openapi.json', (_req, res) => {
    res.set('Cache-Control', `public, max-age=${DESCRIPTION_MAX_AGE_SECONDS}`).json(description);
  });
  for (const route of routes) mount(router, route, options);
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method.toUpperCase());
    router.all(expressPaths(path), (_req, res) => {
      res.status(405).set('Allow', methods.join(', '));
      res.json({ error: { code: 'method_not_allowed', message: `use ${methods.join(' or ')}` } });
    });
  }
  router.use('/v1', refuse(options.log));
  return router;
}

function mount(router: Router, route: Route, { services, verifyToken, limitClient }: RestOptions): void {
  const middleware = route.body === undefined ? [] : [requireJson, express.json({ limit: BODY_MAX_BYTES })];
  router[route.method](
    expressPaths(route.path),
    requireScope(verifyToken, route.scope),
    limitClient((req, _res, retryAfterSeconds) => req.next?.(tooManyRequests(retryAfterSeconds))),
    ...middleware,
    async (req: Request, res: Response<unknown, { caller: Caller }>) => {
      const request = {
        params: read(route.params, req.params),
        query: read(route.query, req.query),
        body: read(route.body, req.body),
      };
      const answer = await route.handle(request, { caller: res.locals.caller, services });
      res.status(route.status).set('Cache-Control', 'no-store').json(route.response.schema.parse(answer));
    },
  );
}

/** An empty segment is a bad channel name, not another path. */
function expressPaths(path: string): string[] {
  return [path.replaceAll(/\{(\w+)\}/g, ':$1'), ...(path.includes('{') ? [path.replaceAll(/\{\w+\}/g, '')] : [])];
}

/** @throws ConnectorError with the code the part names */
function read(part: RequestPart | undefined, value: unknown): Record<string, unknown> {
  if (part === undefined) return {};
  const parsed = part.schema.safeParse(value);
  if (!parsed.success) throw new ConnectorError(part.refusal.code, part.refusal.message);
  return parsed.data as Record<string, unknown>;
}

/** Here a missing scope is 401, too. @spec connector#errors */
function requireScope(verifyToken: VerifyToken, scope: Scope) {
  return async function bearer(req: Request, res: Response, next: NextFunction): Promise<void> {
    const token = bearerToken(req.headers.authorization);
    const verified = token === undefined ? undefined : await verifyToken(token);
    if (verified?.scopes.includes(scope) === true) {
      const { accountId, clientId } = verified;
      res.locals['caller'] = { accountId, clientId } satisfies Caller;
      res.locals['requester'] = `${accountId} ${clientId}`;
      next();
      return;
    }
    if (verified === undefined && typeof res.locals['refuseAddress'] === 'function') {
      res.locals['refuseAddress']();
      return;
    }
    const error = verified === undefined ? 'invalid_token' : 'insufficient_scope';
    res.set(
      'WWW-Authenticate',
      req.headers.authorization === undefined ? 'Bearer' : `Bearer error="${error}", scope="${scope}"`,
    );
    if (verified !== undefined) throw new ConnectorError('scope_missing', `the access token lacks the scope ${scope}`);
    throw new ConnectorError('token_invalid', 'present a valid access token: Authorization: Bearer TOKEN');
  };
}

function requireJson(req: Request, _res: Response, next: NextFunction): void {
  if (req.is('json') === false)
    throw new ConnectorError('media_type_unsupported', 'send the body as Content-Type: application/json');
  next();
}

/** The one place that turns a failure into an answer of this interface; a bug goes on to the front. */
function refuse(log: Logger) {
  return function answer(error: unknown, _req: Request, res: Response, next: NextFunction): void {
    const refusal = error instanceof ConnectorError ? error : unreadable(error);
    if (refusal === undefined || res.headersSent) {
      next(error);
      return;
    }
    if (refusal.cause !== undefined)
      log.warn({ code: refusal.code, reason: messageOf(refusal.cause) }, 'request refused');
    if (refusal instanceof RetryLater) res.set('Retry-After', String(refusal.retryAfterSeconds));
    res.status(httpStatusOf[refusal.code]).set('Cache-Control', 'no-store');
    res.json({ error: { code: refusal.code, message: refusal.message } });
  };
}

/** Answers a body or a path that express could not read. */
function unreadable(error: unknown): ConnectorError | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (error instanceof URIError) return new ConnectorError('channel_invalid', 'the path is not encoded as UTF-8');
  switch (status) {
    case 400:
      return new ConnectorError('body_malformed', 'the body is not JSON');
    case 413:
      return new ConnectorError('body_too_large', `the body is over ${BODY_MAX_BYTES} bytes`);
    case 415:
      return new ConnectorError('media_type_unsupported', 'send the body as plain UTF-8 JSON');
    default:
      return undefined;
  }
}
