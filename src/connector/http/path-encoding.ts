import type { NextFunction, Request, Response } from 'express';

/** A byte that no name of ours holds. */
const UNREADABLE = '%00';

/**
 * Puts `%00` in the place of whatever is not UTF-8 in the path. The router would otherwise fail at some routes and skip
 * them together with their checks; like this the path is one that a route refuses, or that leads nowhere.
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
