import type { RequestListener } from 'node:http';
import type { NextFunction, Request, Response } from 'express';

/** A byte that does not occur in our names. */
const UNREADABLE = '%00';

/**
 * Replaces bytes of the path that are not UTF-8 by `%00`. The router would otherwise fail at some routes and skip them
 * together with their checks; the replaced path is one that a route refuses, or that no route serves.
 */
export function readablePath(req: Request, _res: Response, next: NextFunction): void {
  const [path = ''] = req.url.split('?', 1);
  if (!isReadable(path)) {
    const readable = path.replaceAll(/(?:%[0-9a-f]{2})+|%/gi, (part) => (isReadable(part) ? part : UNREADABLE));
    req.url = readable + req.url.slice(path.length);
  }
  next();
}

/**
 * Passes only addresses on that the router can read: it would answer others with a page of its own, past all routes. A
 * client may send a whole address, as to a proxy, or one that is none.
 */
export function withReadableAddress(app: RequestListener): RequestListener {
  return (req, res) => {
    if (req.url?.startsWith('/') !== true) req.url = pathIn(req.url ?? '');
    app(req, res);
  };
}

function pathIn(address: string): string {
  const url = URL.parse(address);
  return url === null ? `/${UNREADABLE}` : `${url.pathname}${url.search}`;
}

function isReadable(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    // A percent sign that is not an encoding can't be decoded.
    return false;
  }
}
