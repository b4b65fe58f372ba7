import type { RequestHandler } from 'express';
import { RefusalWithHeaders } from './refusals.ts';

/** For a known path: refuses any method that comes here. */
export function allowOnly(...methods: readonly string[]): RequestHandler {
  return () => {
    throw new RefusalWithHeaders('method_not_allowed', `use ${methods.join(' or ')}`, { Allow: methods.join(', ') });
  };
}
