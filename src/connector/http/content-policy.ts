import type { RequestHandler, Response } from 'express';
import { contentSecurityPolicy } from 'helmet';

/** No script, no frame, nothing from elsewhere; forms go to us. */
export const CONTENT_POLICY = policy();

/** Browsers apply `form-action` also to the address that the form's answer redirects to: this page's form may end there. */
export function allowFormTarget(res: Response, origin: string): void {
  contentSecurityPolicy(policy(origin))(res.req, res, (error) => {
    if (error !== undefined) throw error;
  });
}

function policy(formTarget?: string) {
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      formAction: ["'self'", ...(formTarget === undefined ? [] : [formTarget])],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  };
}

/**
 * A page that another site's window opened stays tied to it: a client that asked for access sees when the person has
 * closed it. Every other page is cut off from its opener. A browser applies this at each redirect and error page, too.
 */
export const letOpenerWatch: RequestHandler = (_req, res, next) => {
  res.set('Cross-Origin-Opener-Policy', 'unsafe-none');
  next();
};
