import express, { type Express, type NextFunction, type Request, type Response, type Router } from 'express';
import helmet from 'helmet';
import { messageOf, StartError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { ConnectorError, httpStatusOf } from '../errors.ts';
import { messagePage } from '../pages/layout.ts';
import { contentPolicy } from './content-policy.ts';
import type { RateLimits } from './rate-limits.ts';

const HSTS_MAX_AGE_SECONDS = 31_536_000;

export interface AppOptions {
  baseUrl: string;
  log: Logger;
  /** Addresses of proxies that are trusted to say where a request comes from. */
  trustedProxies: readonly string[];
  rateLimits: RateLimits;
  /** Tried in this order. */
  routers: readonly Router[];
}

/** The HTTP front: headers of every answer, the routers, and the answer for addresses that none of them serves. */
export function createApp({ baseUrl, log, trustedProxies, rateLimits, routers }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  trust(app, trustedProxies);
  app.set('query parser', 'simple');
  app.use(
    helmet({
      contentSecurityPolicy: false,
      strictTransportSecurity: baseUrl.startsWith('https:') ? { maxAge: HSTS_MAX_AGE_SECONDS } : false,
      // With no-referrer a browser sends `Origin: null` with our own forms.
      referrerPolicy: { policy: 'same-origin' },
      xFrameOptions: { action: 'deny' },
    }),
  );
  app.use((_req, res, next) => {
    res.set('Content-Security-Policy', contentPolicy());
    next();
  });
  app.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store').json({ ok: true });
  });
  app.use(rateLimits.byAddress(tooManyRequests));
  for (const router of routers) app.use(router);
  app.use((req: Request, res: Response) => {
    answer(req, res, {
      status: 404,
      code: 'not_found',
      title: 'Not here',
      message: 'There is nothing at this address.',
    });
  });
  app.use((error: unknown, req: Request, res: Response, next: NextFunction) => {
    if (res.headersSent) next(error);
    else failed(error, req, res, log);
  });
  return app;
}

/** @throws StartError for a text that is not an address */
function trust(app: Express, proxies: readonly string[]): void {
  try {
    app.set('trust proxy', [...proxies]);
  } catch (error) {
    throw new StartError(`trustedProxies: ${messageOf(error)}: write IP addresses, or networks as 10.1.0.0/16`);
  }
}

function tooManyRequests(req: Request, res: Response, retryAfterSeconds: number): void {
  answer(req, res, {
    status: 429,
    code: 'too_many_requests',
    title: 'Too many requests',
    message: `There were too many requests from your address: try again in ${retryAfterSeconds} s.`,
  });
}

/** A fault of the request keeps its status; anything else is a bug, and the peer learns nothing about it. */
function failed(error: unknown, req: Request, res: Response, log: Logger): void {
  if (error instanceof ConnectorError) {
    log.warn({ code: error.code, reason: messageOf(error.cause ?? error.code) }, 'request refused');
    const { code, message } = error;
    answer(req, res, { status: httpStatusOf[code], code, title: 'That did not work', message });
    return;
  }
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  if (status >= 400 && status < 500) {
    answer(req, res, {
      status,
      code: 'bad_request',
      title: 'That did not work',
      message: 'The request could not be read.',
    });
    return;
  }
  log.error({ err: error, method: req.method, path: req.path }, 'request failed');
  answer(req, res, { status: 500, code: 'internal', title: 'Something went wrong', message: 'Try again later.' });
}

interface Answer {
  status: number;
  code: string;
  title: string;
  message: string;
}

/** People get a page, programs get JSON. */
function answer(req: Request, res: Response, { status, code, title, message }: Answer): void {
  res.status(status);
  if (req.accepts(['json', 'html']) === 'html') {
    res.send(messagePage(title, message, { href: '/settings', label: 'Go to settings' }));
  } else {
    res.json({ error: { code, message } });
  }
}
