import type { Request, RequestHandler } from 'express';
import { RefusalWithHeaders } from './refusals.ts';

export const usableMethods = (methods: readonly string[]): string => `use ${methods.join(' or ')}`;

/** Refuses other methods at a known path. */
export const allowOnly = (...methods: readonly string[]): RequestHandler =>
  refuseMethods(methods, usableMethods(methods));

/**
 * Like `allowOnly`, with a message of the route's own.
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
