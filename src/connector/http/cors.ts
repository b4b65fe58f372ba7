import type { RequestHandler } from 'express';

/** Response headers that a page may read beside the few that browsers always show. */
const EXPOSED = 'WWW-Authenticate, Mcp-Session-Id, Retry-After';

/** A star does not include `Authorization`. @see Fetch, CORS-unsafe request headers */
const REQUEST_HEADERS = 'Authorization, *';

/** Time for which a browser may cache the answer to a preflight; Chromium's maximum. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

/**
 * Access of scripts in pages of other origins to an address. They send no cookies there, and the address never asks for
 * any.
 */
export interface CrossOrigin {
  /** Origins that may call. A function is called at each request, so that a reload takes effect. */
  mayCall: 'any origin' | ((origin: string) => boolean);
  /** Methods that the answer to a preflight allows; browsers use other methods only after one. */
  methods: readonly string[];
}

/** Lets pages of other origins read the answers that follow, refusals too. It answers no request itself. */
export function letPagesRead({ mayCall }: CrossOrigin): RequestHandler {
  return (req, res, next) => {
    const { origin } = req.headers;
    if (mayCall !== 'any origin') res.vary('Origin');
    const allowed = mayCall === 'any origin' ? '*' : origin !== undefined && mayCall(origin) ? origin : undefined;
    if (allowed !== undefined) {
      res.set({ 'Access-Control-Allow-Origin': allowed, 'Access-Control-Expose-Headers': EXPOSED });
    }
    next();
  };
}

/** Answers preflights, which a browser sends before a request that no form could send. @see Fetch, CORS-preflight */
export function answerPreflights({ mayCall, methods }: CrossOrigin): RequestHandler {
  return (req, res, next) => {
    const { origin } = req.headers;
    const isPreflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
    if (!isPreflight || origin === undefined || (mayCall !== 'any origin' && !mayCall(origin))) {
      next();
      return;
    }
    res.set({
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_SECONDS),
    });
    res.status(204).end();
  };
}

/**
 * Opens addresses to pages of any origin: those that show all clients the same, or require more than a browser adds by
 * itself.
 */
export function openToAnyOrigin(methods: readonly string[]): RequestHandler[] {
  const rule: CrossOrigin = { mayCall: 'any origin', methods };
  return [letPagesRead(rule), answerPreflights(rule)];
}
