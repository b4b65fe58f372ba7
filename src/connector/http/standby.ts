import type { RequestListener } from 'node:http';
import express from 'express';
import { answerHealth } from './health.ts';

/** Long enough that the process that serves is found again by a client which comes here by mistake. */
const RETRY_AFTER_SECONDS = 5;

/** What a process answers while another one has the database: to every request what a balancer is to hear. */
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
