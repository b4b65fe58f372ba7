import type { RequestHandler } from 'express';
import { RefusalWithHeaders } from './refusals.ts';

/** For a known path: refuses any method that comes here. */
export const allowOnly = (...methods: readonly string[]): RequestHandler =>
  refuseMethods(methods, `use ${methods.join(' or ')}`);

/** The same, in words of the route's own. */
export function refuseMethods(allowed: readonly string[], message: string): RequestHandler {
  return () => {
    throw new RefusalWithHeaders('method_not_allowed', message, { Allow: allowed.join(', ') });
  };
}
