import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { messageOf } from '../../kernel/errors.ts';
import { ConnectorError, httpStatusOf } from '../errors.ts';
import { contentPolicy } from '../http/content-policy.ts';
import { mountConsent } from './consent.ts';
import { messagePage } from './layout.ts';
import type { PageDeps } from './page-deps.ts';
import { mountPrivacy } from './privacy.ts';
import { mountSettings } from './settings.ts';
import { mountSignIn } from './sign-in.ts';
import { ICON, STYLE } from './style.ts';

const FORM_MAX_BYTES = 64 * 1024;
const FIXED_MAX_AGE_SECONDS = 3_600;

/** The browser pages; none of them is for agents. */
export function createPages(deps: PageDeps): Router {
  const router = Router();
  const fixed = (type: string, content: string) => (_req: Request, res: Response) => {
    res.type(type).set('Cache-Control', `public, max-age=${FIXED_MAX_AGE_SECONDS}`).send(content);
  };
  router.get('/style.css', fixed('css', STYLE));
  router.get('/icon.svg', fixed('svg', ICON));
  router.use((_req, res, next) => {
    res.set('Content-Security-Policy', contentPolicy()).set('Cache-Control', 'no-store');
    next();
  });
  router.use(express.urlencoded({ extended: false, limit: FORM_MAX_BYTES }));
  router.get('/', (_req, res) => res.redirect(303, '/settings'));
  mountSignIn(router, deps);
  mountConsent(router, deps);
  mountSettings(router, deps);
  mountPrivacy(router);
  router.use((error: unknown, _req: Request, res: Response, next: NextFunction) => {
    if (error instanceof ConnectorError) refused(error, res, deps);
    else next(error);
  });
  return router;
}

/** Pages may show the reason to a person; its cause goes to the log. */
function refused(error: ConnectorError, res: Response, { log }: PageDeps): void {
  log.info({ code: error.code, reason: messageOf(error.cause ?? error.code) }, 'page refused');
  const isSignIn = error.code === 'not_invited' || error.code === 'sign_in_failed';
  const action = isSignIn ? { href: '/login', label: 'Sign in again' } : { href: '/settings', label: 'Go to settings' };
  res
    .status(httpStatusOf[error.code])
    .send(messagePage(TITLES[error.code] ?? 'That did not work', sentence(error.message), action));
}

const TITLES: Partial<Record<ConnectorError['code'], string>> = {
  not_invited: 'No access yet',
  sign_in_failed: 'Sign-in did not work',
  identity_provider_unreachable: 'Sign-in is not available',
  user_limit_reached: 'No room for another account',
};

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
