import type { Request, RequestHandler } from 'express';
import { RefusalWithHeaders } from './refusals.ts';

export const usableMethods = (methods: readonly string[]): string => `use ${methods.join(' or ')}`;

/** For a known path: refuses any method that comes here. */
export const allowOnly = (...methods: readonly string[]): RequestHandler =>
  refuseMethods(methods, usableMethods(methods));

/**
 * The same, in words of the route's own.
 * @param more further headers of the refusal
 */
export function refuseMethods(
  allowed: readonly string[],
  message: string,
  more: (req: Request) => Record<string, string> = () => ({}),
): RequestHandler {
  return (req) => {
    throw new RefusalWithHeaders('method_not_allowed', message, { Allow: allowed.join(', '), ...more(req) });
  };
}
