import { type Request, type Response, Router } from 'express';
import { ConnectorError } from '../errors.ts';
import type { GuardedRoute } from '../http/guarded-route.ts';
import { requesterOf } from '../http/requester.ts';
import type { Services } from '../services/index.ts';
import type { RequestPart, Route } from './define-route.ts';
import { routes } from './index.ts';
import { describeInterface } from './openapi.ts';

/** Largest body: a message of 400 characters takes a few kilobytes at most, however it is escaped. */
const BODY_MAX_BYTES = 16 * 1024;

const DESCRIPTION_MAX_AGE_SECONDS = 3_600;

/** The operations of the REST interface. @spec connector#rest-irc-endpoints */
export const restRoutes = (services: Services): GuardedRoute[] => routes.flatMap((route) => served(route, services));

/** Serves the description of the interface for programs. @spec connector#discovery-and-service-endpoints */
export function createDescriptionRouter(baseUrl: string): Router {
  const router = Router();
  const description = describeInterface(baseUrl, routes);
  router.get('/openapi.json', (_req, res) => {
    res.set('Cache-Control', `public, max-age=${DESCRIPTION_MAX_AGE_SECONDS}`).json(description);
  });
  return router;
}

function served(route: Route, services: Services): GuardedRoute[] {
  const { method, scope, body } = route;
  const handle = async (req: Request, res: Response): Promise<void> => {
    const request = {
      params: read(route.params, req.params),
      query: read(route.query, req.query),
      body: read(body, req.body),
    };
    const { accountId, clientId } = requesterOf(res);
    const answer = await route.handle(request, { caller: { accountId, clientId }, services });
    res.status(route.status).set('Cache-Control', 'no-store').json(route.response.schema.parse(answer));
  };
  return expressPaths(route.path).map((path) => ({
    method,
    path,
    guard: { token: { scope } },
    speaks: 'json',
    ...(body === undefined ? {} : { bodyMaxBytes: BODY_MAX_BYTES }),
    handlers: [handle],
  }));
}

/** An empty segment is refused as an invalid channel name, so the path without it is a route, too. */
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
