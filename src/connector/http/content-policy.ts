import type { RequestHandler, Response } from 'express';

/**
 * Allows styles, images and forms of ours only; no scripts, no frames. Browsers apply `form-action` also to addresses
 * that the answer to a form redirects to, so no answer to a form leads to another site.
 */
export const CONTENT_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** Lets a page run a script of ours. */
export const letOwnScript = (res: Response): void => {
  res.set('Content-Security-Policy', `${res.get('Content-Security-Policy')};script-src 'self'`);
};

/**
 * Keeps a page tied to the window of another site that opened it: a client that asked for access sees when the person
 * has closed it. Every other page is cut off from its opener. A browser applies this at each redirect and error page,
 * too.
 */
export const letOpenerWatch: RequestHandler = (_req, res, next) => {
  res.set('Cross-Origin-Opener-Policy', 'unsafe-none');
  next();
};
