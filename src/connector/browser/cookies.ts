import type { CookieOptions, Request } from 'express';

/** Of every cookie of ours; their names begin with `__Host-`, so that browsers take them from us alone. @spec connector#authentication */
export const COOKIE_OPTIONS: CookieOptions = { secure: true, httpOnly: true, sameSite: 'lax', path: '/' };

/** The value of a cookie of the request. */
export function cookieOf(req: Request, name: string): string | undefined {
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return pairs.find(([key]) => key === name)?.[1];
}
