import type { RequestHandler } from 'express';

/** For balancers: 200 while the program serves, 503 from the beginning of its end, when it still answers. */
export function answerHealth(isEnding: () => boolean): RequestHandler {
  return (_req, res) => {
    res.set('Cache-Control', 'no-store');
    if (isEnding()) res.status(503).json({ ok: false, reason: 'ending' });
    else res.json({ ok: true });
  };
}
