import express, { type Express, type Request, type Response, Router } from 'express';
import type { Registry } from 'prom-client';
import { bearerToken, secretMatcher } from '../../kernel/http/bearer.ts';

/** The connector's own metrics; only the admin token gives access, from whatever address. */
export function createMetricsRouter(registry: Registry, adminToken: string | undefined): Router {
  const isAdmin = adminToken === undefined ? () => false : secretMatcher(adminToken);
  const router = Router();
  router.get('/metrics', async (req: Request, res: Response) => {
    if (isAdmin(bearerToken(req.headers.authorization))) {
      res.locals['requester'] = 'admin';
      await sendMetrics(registry, res);
      return;
    }
    res.status(401).set('WWW-Authenticate', 'Bearer').set('Cache-Control', 'no-store');
    res.json({ error: { code: 'unauthorized', message: 'present the admin token' } });
  });
  return router;
}

/** Only the metrics, without a token: for a separate listener that only authorized programs can reach. */
export function createMetricsApp(registry: Registry): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/metrics', (_req, res) => sendMetrics(registry, res));
  app.use((_req, res) => {
    res.status(404).json({ error: { code: 'not_found', message: 'there is nothing but /metrics here' } });
  });
  return app;
}

async function sendMetrics(registry: Registry, res: Response): Promise<void> {
  res
    .set('Cache-Control', 'no-store')
    .set('Content-Type', registry.contentType)
    .send(await registry.metrics());
}
