import type { RequestHandler } from 'express';

/** Headers of answers that a page may read beside the few that browsers always show. */
const EXPOSED = 'WWW-Authenticate, Mcp-Session-Id, Retry-After';

/** A star does not cover `Authorization`. @see Fetch, CORS-unsafe request headers */
const REQUEST_HEADERS = 'Authorization, *';

/** How long a browser may keep the answer to a preflight; Chromium keeps none longer than this. */
const PREFLIGHT_MAX_AGE_SECONDS = 7_200;

/** What scripts in pages of other origins may do at an address. They never send cookies there, and none is ever asked for. */
export interface CrossOrigin {
  /** Read at each request, so that a reload changes it. */
  mayCall: 'any origin' | ((origin: string) => boolean);
  /** What a preflight is told; browsers ask for other methods only after one. */
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

/** Answers the question that a browser asks before a request which no form could send. @see Fetch, CORS-preflight */
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

/** For addresses that show everybody the same, or ask for more than a browser adds by itself: any page may call them. */
export function openToAnyOrigin(methods: readonly string[]): RequestHandler[] {
  const rule: CrossOrigin = { mayCall: 'any origin', methods };
  return [letPagesRead(rule), answerPreflights(rule)];
}
