import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { bearerToken } from '../../kernel/http/bearer.ts';
import { HitCounts } from './hit-counts.ts';

const WINDOW_MS = 60_000;

export interface RateLimitOptions {
  /** Requests a minute, read at each request, so that a reload changes them. */
  limits: () => { perClient: number; perAddress: number };
  /** Wall clock, milliseconds since 1970. */
  now: () => number;
}

/** What a request's locals say about its rate. */
export interface RateLocals {
  /** Who sent the request; set by the code that checks its token. */
  requester?: string;
  /** Set when the address is over its limit; call it when the token is invalid. A valid token is never refused for its address. */
  refuseAddress?: () => void;
}

/** Answers a request that is one too many; `Retry-After` is set. */
export type Refuse = (req: Request, res: Response, retryAfterSeconds: number) => void;

export interface RateLimits {
  /** Counts the requests of an address that come without a valid token. */
  byAddress(refuse: Refuse): RequestHandler;
  /** Counts the requests of a client of an account, over all its tokens; use it after the check of the token. */
  byClient(refuse: Refuse): RequestHandler;
}

/** @see express' `trust proxy` for how the address is found */
export function createRateLimits({ limits, now }: RateLimitOptions): RateLimits {
  const addresses = new HitCounts(WINDOW_MS, now);
  const clients = new HitCounts(WINDOW_MS, now);
  const localsOf = (res: Pick<Response, 'locals'>): RateLocals => res.locals as RateLocals;
  const shared = { windowMs: WINDOW_MS, standardHeaders: false, legacyHeaders: false, validate: false } as const;
  const refused = (refuse: Refuse, req: Request, res: Response): void => {
    const { resetTime } = (req as Request & { rateLimit: { resetTime?: Date } }).rateLimit;
    const seconds = Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - now()) / 1_000));
    refuse(req, res.set('Retry-After', String(seconds)), seconds);
  };
  return {
    byAddress: (refuse) =>
      rateLimit({
        ...shared,
        store: addresses,
        limit: () => limits().perAddress,
        // An IPv6 subnet belongs to one customer, who may use any address in it.
        keyGenerator: ({ ip = '' }) => ipKeyGenerator(ip),
        // Not counted once the request turns out to have a valid token.
        skipSuccessfulRequests: true,
        requestWasSuccessful: (_req, res) => localsOf(res).requester !== undefined,
        handler: (req, res, next) => {
          if (bearerToken(req.headers.authorization) === undefined) {
            refused(refuse, req, res);
            return;
          }
          localsOf(res).refuseAddress = () => refused(refuse, req, res);
          next();
        },
      }),
    byClient: (refuse) =>
      rateLimit({
        ...shared,
        store: clients,
        limit: () => limits().perClient,
        keyGenerator: (_req, res) => localsOf(res).requester ?? '',
        handler: (req, res) => refused(refuse, req, res),
      }),
  };
}
