import type { CookieOptions, Request } from 'express';

/**
 * Options of all our cookies; their names begin with `__Host-`, so that browsers take them from us alone.
 * @spec connector#authentication
 */
export const COOKIE_OPTIONS: CookieOptions = { secure: true, httpOnly: true, sameSite: 'lax', path: '/' };

/** The value of a cookie of the request. */
export const cookieOf = (req: Request, name: string): string | undefined =>
  cookiesOf(req).find(([key]) => key === name)?.[1];

/** All cookies of the request, as pairs of name and value. */
export const cookiesOf = (req: Request): [name: string, value: string][] =>
  (req.headers.cookie ?? '').split(';').map((pair) => {
    const [name = '', value = ''] = pair.trim().split('=', 2);
    return [name, value];
  });
