import type { RequestHandler } from 'express';

/**
 * Why the program should get no requests now: another process serves, it has begun to end, it is cut off from the
 * database and another process may serve by now, or its clock differs by more than five seconds from the database's.
 */
export type Unready = 'standby' | 'ending' | 'database' | 'clock';

/** Answers health checks of balancers: 200 while the program serves; 503 with the reason while it only answers. */
export function answerHealth(unready: () => Unready | undefined): RequestHandler {
  return (_req, res) => {
    const reason = unready();
    res.set('Cache-Control', 'no-store');
    if (reason === undefined) res.json({ ok: true });
    else res.status(503).json({ ok: false, reason });
  };
}
