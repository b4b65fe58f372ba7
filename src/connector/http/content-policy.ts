import type { RequestHandler } from 'express';

/**
 * No script, no frame, nothing from elsewhere; forms go to us. Browsers apply `form-action` also to addresses that the answer to
 * a form redirects to, so no answer to a form leads to another site.
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

/**
 * A page that another site's window opened stays tied to it: a client that asked for access sees when the person has
 * closed it. Every other page is cut off from its opener. A browser applies this at each redirect and error page, too.
 */
export const letOpenerWatch: RequestHandler = (_req, res, next) => {
  res.set('Cross-Origin-Opener-Policy', 'unsafe-none');
  next();
};
