import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from '../../kernel/log.ts';
import { allowDatabaseTime } from '../database-time.ts';
import { answerErrors, notFound, type PageRenderer } from './answer-errors.ts';
import { CONTENT_POLICY, letOpenerWatch } from './content-policy.ts';
import { type GuardedRoute, type Guards, mountGuarded, refuseOtherMethods } from './guarded-route.ts';
import { answerHealth, type Unready } from './health.ts';
import { readablePath, withReadableAddress } from './path-encoding.ts';
import { addressOf, limitFailedStrangers, limitStrangers } from './request-limits.ts';

const HSTS_MAX_AGE_SECONDS = 31_536_000;

export interface AppOptions extends Guards {
  baseUrl: string;
  log: Logger;
  /** Addresses of proxies whose forwarding headers are trusted. */
  trustedProxies: readonly string[];
  /** Routes that check a token. */
  guarded: readonly GuardedRoute[];
  /** All other routes, tried in this order; the limit by address applies to strangers here. */
  open: readonly RequestHandler[];
  /** Paths below which a page stays tied to the window that opened it. */
  openerPaths: readonly string[];
  renderPage: PageRenderer;
  /** Why the program should get no requests now; undefined while it serves. */
  unready(): Unready | undefined;
}

/**
 * The HTTP edge: the steps that every request passes, in this order. A route that no list names as guarded is limited
 * by address.
 */
export function createApp(options: AppOptions): RequestListener {
  const { baseUrl, log, trustedProxies, guarded, open, openerPaths, limits, renderPage } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('trust proxy', [...trustedProxies]);
  app.use(boundDatabaseTime);
  app.use(headers(baseUrl));
  app.use(readablePath);
  app.use([...openerPaths], letOpenerWatch);
  app.get('/healthz', answerHealth(options.unready));
  app.use(mountGuarded(guarded, options));
  app.use(limitFailedStrangers(limits), limitStrangers(limits));
  app.use(refuseOtherMethods(guarded));
  for (const handler of open) app.use(handler);
  app.use(notFound);
  app.use(answerErrors(log, renderPage));
  return withReadableAddress(app);
}

/** Longest time that a request waits for the database, all its statements together. */
const DATABASE_TIME_MS = 10_000;

const boundDatabaseTime: RequestHandler = (req, res, next) => {
  const end = allowDatabaseTime(DATABASE_TIME_MS, next, req.headers.authorization ?? addressOf(req));
  res.once('close', end);
};

const headers = (baseUrl: string): RequestHandler =>
  helmet({
    contentSecurityPolicy: CONTENT_POLICY,
    strictTransportSecurity: baseUrl.startsWith('https:') ? { maxAge: HSTS_MAX_AGE_SECONDS } : false,
    // With no-referrer a browser sends `Origin: null` with our own forms.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
