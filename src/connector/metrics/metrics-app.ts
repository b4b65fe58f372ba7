import express, { type Express, type Request, type Response } from 'express';
import type { Registry } from 'prom-client';
import type { Logger } from '../../kernel/log.ts';
import { answerErrors, notFound } from '../http/answer-errors.ts';
import type { GuardedRoute } from '../http/guarded-route.ts';
import { speak } from '../http/requester.ts';

/** Serves the connector's metrics at any address, with the admin token only. */
export const metricsRoute = (registry: Registry): GuardedRoute => ({
  method: 'get',
  path: '/metrics',
  guard: 'admin',
  speaks: 'json',
  handlers: [sendMetrics(registry)],
});

/** Serves only the metrics, without a token: for a separate listener that only authorized programs can reach. */
export function createMetricsApp(registry: Registry, log: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(speak('json'));
  app.get('/metrics', sendMetrics(registry));
  app.use(notFound);
  app.use(answerErrors(log, ({ message }) => message));
  return app;
}

function sendMetrics(registry: Registry) {
  return async (_req: Request, res: Response): Promise<void> => {
    res
      .set('Cache-Control', 'no-store')
      .set('Content-Type', registry.contentType)
      .send(await registry.metrics());
  };
}
