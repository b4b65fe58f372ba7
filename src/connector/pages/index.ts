import { type Request, type Response, Router } from 'express';
import { consentPage } from './consent.ts';
import type { Page } from './define-page.ts';
import { forms } from './forms.ts';
import { historyPage } from './history-page.ts';
import { mountForms, mountPages } from './mount.ts';
import type { PageDeps } from './page-deps.ts';
import { privacyPage } from './privacy.ts';
import { SCRIPT, SCRIPT_PATH } from './script.ts';
import { deleteHistoryPage } from './settings/delete-history-form.ts';
import { historyDownload } from './settings/download-history.ts';
import { settingsPage } from './settings/page.ts';
import { personPage } from './settings/person.ts';
import { personHistoryDownload, removePersonPage } from './settings/remove-person-form.ts';
import { signInDeparture, signInPage, signInReturn } from './sign-in-page.ts';
import { ICON, STYLE } from './style.ts';

const FIXED_MAX_AGE_SECONDS = 3_600;

const homePage: Page = { path: '/', show: () => ({ goTo: '/settings' }) };

const pages: readonly Page[] = [
  homePage,
  signInPage,
  signInDeparture,
  signInReturn,
  consentPage,
  settingsPage,
  historyPage,
  historyDownload,
  deleteHistoryPage,
  personPage,
  personHistoryDownload,
  removePersonPage,
  privacyPage,
];

/** The browser pages; agents do not use them. */
export function createPages(deps: PageDeps): Router {
  const router = Router();
  const fixed = (type: string, content: string) => (_req: Request, res: Response) => {
    res.type(type).set('Cache-Control', `public, max-age=${FIXED_MAX_AGE_SECONDS}`).send(content);
  };
  router.get('/style.css', fixed('css', STYLE));
  router.get(SCRIPT_PATH, fixed('js', SCRIPT));
  router.get('/icon.svg', fixed('svg', ICON));
  mountPages(router, pages, deps);
  mountForms(router, forms, deps);
  return router;
}
