import type { NextFunction, Request, Response } from 'express';
import { ConnectorError } from '../errors.ts';

const CANCELLATION = 'notifications/cancelled';

/** Method → its parameter that some clients write as null where others leave it out. */
const MAY_BE_NULL: ReadonlyMap<unknown, string> = new Map([
  ['tools/call', 'arguments'],
  ['tools/list', 'cursor'],
]);

/**
 * Serves a client that accepts only JSON, which every answer is. The library would refuse it and demand event streams,
 * which this server does not have.
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
 * Drops cancellations: a request is answered whole or not at all. The library would wait for ever for the answer of a
 * cancelled call in a batch.
 */
export function dropCancellations(req: Request, res: Response, next: NextFunction): void {
  const { body } = req;
  if (Array.isArray(body)) req.body = body.filter((message) => message?.method !== CANCELLATION);
  if (Array.isArray(body) && body.length > 0 && req.body.length === 0) res.status(202).end();
  else next();
}

/** Takes out the parameters of `MAY_BE_NULL` that are null. */
export function dropNulls({ body }: Request, _res: Response, next: NextFunction): void {
  for (const message of [body].flat()) {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: Record<string, unknown> | null };
    const name = MAY_BE_NULL.get(method);
    if (name !== undefined && params?.[name] === null) delete params[name];
  }
  next();
}
