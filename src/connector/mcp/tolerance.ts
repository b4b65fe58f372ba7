import type { NextFunction, Request, Response } from 'express';
import { ConnectorError } from '../errors.ts';

const CANCELLATION = 'notifications/cancelled';

/** Method -> its parameter that some clients write as null where others leave it out. */
const MAY_BE_NULL: ReadonlyMap<unknown, string> = new Map([
  ['tools/call', 'arguments'],
  ['tools/list', 'cursor'],
]);

/**
 * Every answer is JSON, so a client that accepts only JSON can be served. The library would refuse it, and would ask for event
 * streams that there are none of.
 * @throws ConnectorError not_acceptable for a client that does not take JSON
 */
export function acceptJson(req: Request, _res: Response, next: NextFunction): void {
  if (req.accepts('application/json') === false) {
    throw new ConnectorError('not_acceptable', 'every answer is JSON: send Accept: application/json, or none');
  }
  req.headers.accept = 'application/json, text/event-stream';
  next();
}

/**
 * A request is answered whole or not at all, so nothing can be cancelled. In a batch a cancelled
 * call would have no answer, and the library would wait for it for ever.
 */
export function dropCancellations(req: Request, res: Response, next: NextFunction): void {
  const { body } = req;
  if (Array.isArray(body)) req.body = body.filter((message) => message?.method !== CANCELLATION);
  if (Array.isArray(body) && body.length > 0 && req.body.length === 0) res.status(202).end();
  else next();
}

/** What is null is absent. */
export function dropNulls({ body }: Request, _res: Response, next: NextFunction): void {
  for (const message of [body].flat()) {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: Record<string, unknown> | null };
    const name = MAY_BE_NULL.get(method);
    if (name !== undefined && params?.[name] === null) delete params[name];
  }
  next();
}
