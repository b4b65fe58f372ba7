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

function isReadable(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
