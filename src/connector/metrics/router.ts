import { type Request, type Response, Router } from 'express';
import type { Registry } from 'prom-client';
import { bearerToken, secretMatcher } from '../../kernel/http/bearer.ts';

/** The connector's own metrics, for the admin token alone; where a call comes from counts for nothing. */
export function createMetricsRouter(registry: Registry, adminToken: string | undefined): Router {
  const isAdmin = adminToken === undefined ? () => false : secretMatcher(adminToken);
  const router = Router();
  router.get('/metrics', async (req: Request, res: Response) => {
    res.set('Cache-Control', 'no-store');
    if (isAdmin(bearerToken(req.headers.authorization))) {
      res.set('Content-Type', registry.contentType).send(await registry.metrics());
      return;
    }
    res.status(401).set('WWW-Authenticate', 'Bearer');
    res.json({ error: { code: 'unauthorized', message: 'present the admin token' } });
  });
  return router;
}
