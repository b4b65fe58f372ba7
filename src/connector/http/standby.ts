import type { RequestListener } from 'node:http';
import express from 'express';
import { answerHealth } from './health.ts';

/** Retry time: long enough for a client that comes here by mistake to find the serving process again. */
const RETRY_AFTER_SECONDS = 5;

/** Serves while another process has the database: every request gets the answer to a health check. */
export function createStandbyApp(isEnding: () => boolean): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.use((_req, res, next) => {
    res.set('Retry-After', `${RETRY_AFTER_SECONDS}`);
    next();
  });
  app.use(answerHealth(() => (isEnding() ? 'ending' : 'standby')));
  return (req, res) => {
    // Express finds no handler for an address that it can't read, and would answer with a page.
    req.url = '/';
    app(req, res);
  };
}
