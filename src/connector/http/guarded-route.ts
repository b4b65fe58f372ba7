import { type Request, type RequestHandler, Router } from 'express';
import { challengeWithoutToken, requireAdmin, requireToken, type TokenGuards, type TokenRule } from './bearer.ts';
import { jsonBody } from './body.ts';
import { answerPreflights, type CrossOrigin, letPagesRead } from './cors.ts';
import { type Language, speak, speakToPrograms } from './exchange.ts';
import { refuseMethods, usableMethods } from './methods.ts';

/**
 * A route that asks who is there. Only such a route stands before the limit of strangers, because the holder of a valid
 * token is not refused for the address the request comes from.
 */
export interface GuardedRoute {
  method: 'get' | 'post';
  path: string;
  /** `adminOr` lets others in, too, who come without a token; it may throw a refusal of its own. */
  guard: 'admin' | { adminOr: (req: Request) => Promise<boolean> } | { token: TokenRule };
  speaks: Language;
  /** Pages of other origins may call it so far. */
  crossOrigin?: CrossOrigin;
  /** Checks that come before the guard. */
  before?: RequestHandler[];
  /** Only JSON of this size is read, once the guard let the request pass. */
  bodyMaxBytes?: number;
  handlers: RequestHandler[];
  /** What somebody is told who comes with another method; else which methods there are. */
  otherMethods?: string;
}

export interface Guards extends TokenGuards {
  isAdminToken: (presented: string | undefined) => boolean;
}

export function mountGuarded(routes: readonly GuardedRoute[], guards: Guards): RequestHandler {
  const router = Router();
  for (const { method, path, guard, speaks, crossOrigin, before = [], bodyMaxBytes, handlers } of routes) {
    router[method](
      path,
      speak(speaks),
      ...(crossOrigin === undefined ? [] : [letPagesRead(crossOrigin)]),
      ...before,
      check(guard, guards),
      ...(bodyMaxBytes === undefined ? [] : [jsonBody(bodyMaxBytes)]),
      ...handlers,
    );
  }
  // A router would answer OPTIONS by itself, without any guard.
  return (req, res, next) => (req.method === 'OPTIONS' ? next() : router(req, res, next));
}

function check(guard: GuardedRoute['guard'], guards: Guards): RequestHandler {
  const { isAdminToken, limits } = guards;
  if (guard === 'admin') return requireAdmin(isAdminToken, limits);
  return 'token' in guard ? requireToken(guard.token, guards) : requireAdmin(isAdminToken, limits, guard.adminOr);
}

/** Answers requests with other methods to the paths of these routes; a preflight is one of them. */
export function refuseOtherMethods(routes: readonly GuardedRoute[]): Router {
  const router = Router();
  for (const [path, known] of Map.groupBy(routes, (route) => route.path)) {
    const methods = known.map(({ method }) => method.toUpperCase());
    for (const { guard, speaks, crossOrigin, otherMethods = usableMethods(methods) } of known.slice(0, 1)) {
      router.all(
        path,
        speakToPrograms(speaks),
        ...(crossOrigin === undefined ? [] : [letPagesRead(crossOrigin), answerPreflights(crossOrigin)]),
        refuseMethods(methods, otherMethods, (req) =>
          typeof guard === 'object' && 'token' in guard ? challengeWithoutToken(guard.token, req) : {},
        ),
      );
    }
  }
  return router;
}
