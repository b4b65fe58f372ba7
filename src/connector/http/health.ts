import type { RequestHandler } from 'express';

/**
 * Why the program is not to be asked now: another process serves, it has begun to end, or its clock differs by more than five
 * seconds from the database's.
 */
export type Unready = 'standby' | 'ending' | 'clock';

/** For balancers: 200 while the program serves; 503 with the reason while it does not, although it answers. */
export function answerHealth(unready: () => Unready | undefined): RequestHandler {
  return (_req, res) => {
    const reason = unready();
    res.set('Cache-Control', 'no-store');
    if (reason === undefined) res.json({ ok: true });
    else res.status(503).json({ ok: false, reason });
  };
}
