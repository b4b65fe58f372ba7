import { type Request, type RequestHandler, Router } from 'express';
import { challengeWithoutToken, requireAdmin, requireToken, type TokenGuards, type TokenRule } from './bearer.ts';
import { jsonBody } from './body.ts';
import { answerPreflights, type CrossOrigin, letPagesRead } from './cors.ts';
import { refuseMethods, usableMethods } from './methods.ts';
import { type Language, speak, speakToPrograms } from './requester.ts';

/**
 * A route that requires a token. Only such routes stand before the limit of strangers, because the holder of a valid
 * token is not refused for the address the request comes from.
 */
export interface GuardedRoute {
  method: 'get' | 'post';
  path: string;
  /** `adminOr` also lets requests without a token in; it may throw a refusal of its own. */
  guard: 'admin' | { adminOr: (req: Request) => Promise<boolean> } | { token: TokenRule };
  speaks: Language;
  /** Access of pages of other origins; without it they have no access. */
  crossOrigin?: CrossOrigin;
  /** Checks that run before the guard. */
  before?: RequestHandler[];
  /** Largest JSON body, which is read once the guard has let the request pass; without it no body is read. */
  bodyMaxBytes?: number;
  handlers: RequestHandler[];
  /** Message for a request with another method; by default it lists the methods. */
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
