import { type RequestHandler, Router } from 'express';
import type { VerifyToken } from '../domain/verified-token.ts';
import { requireAdmin, requireToken, type TokenRule } from './bearer.ts';
import { jsonBody } from './body.ts';
import { type Language, speak } from './exchange.ts';
import type { Limits } from './limits.ts';
import { allowOnly } from './methods.ts';

/**
 * A route that asks who is there. Only such a route stands before the limit of strangers, because the holder of a valid
 * token is not refused for the address the request comes from.
 */
export interface GuardedRoute {
  method: 'get' | 'post';
  path: string;
  guard: 'admin' | { token: TokenRule };
  speaks: Language;
  /** Checks that come before the guard. */
  before?: RequestHandler[];
  /** Only JSON of this size is read, once the guard let the request pass. */
  bodyMaxBytes?: number;
  handlers: RequestHandler[];
}

export interface Guards {
  verifyToken: VerifyToken;
  isAdminToken: (presented: string | undefined) => boolean;
  limits: Limits;
}

export function mountGuarded(
  routes: readonly GuardedRoute[],
  { verifyToken, isAdminToken, limits }: Guards,
): RequestHandler {
  const router = Router();
  for (const { method, path, guard, speaks, before = [], bodyMaxBytes, handlers } of routes) {
    router[method](
      path,
      speak(speaks),
      ...before,
      guard === 'admin' ? requireAdmin(isAdminToken, limits) : requireToken(guard.token, verifyToken, limits),
      ...(bodyMaxBytes === undefined ? [] : [jsonBody(bodyMaxBytes)]),
      ...handlers,
    );
  }
  // A router would answer OPTIONS by itself, without any guard.
  return (req, res, next) => (req.method === 'OPTIONS' ? next() : router(req, res, next));
}

/** Answers requests with other methods to the paths of these routes. */
export function refuseOtherMethods(routes: readonly GuardedRoute[]): Router {
  const router = Router();
  for (const [path, known] of Map.groupBy(routes, (route) => route.path)) {
    const methods = known.map(({ method }) => method.toUpperCase());
    router.all(path, ...known.slice(0, 1).map(({ speaks }) => speak(speaks)), allowOnly(...methods));
  }
  return router;
}
