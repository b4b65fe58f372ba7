import type { Request, RequestHandler, Response, Router } from 'express';
import { requireOwnForm } from '../browser/own-form.ts';
import { askedBy, outsideOfRequest } from '../database-time.ts';
import { ConnectorError } from '../errors.ts';
import { formBody } from '../http/body.ts';
import { letOwnScript } from '../http/content-policy.ts';
import { allowOnly } from '../http/methods.ts';
import { speak } from '../http/requester.ts';
import type { BrowserSession } from '../ports/store.ts';
import type { Form } from './define-form.ts';
import type { Outcome, Page } from './define-page.ts';
import { sendDownload } from './download.ts';
import { momentsFor } from './moments.ts';
import type { PageDeps, ReaderDeps } from './page-deps.ts';

const FORM_MAX_BYTES = 64 * 1024;

/** The page that has most forms; a browser that requests the address of a form with GET is sent there. */
const FORMS_PAGE = '/settings';

const forReader = (deps: PageDeps, req: Request): ReaderDeps => ({ ...deps, moments: momentsFor(req) });

async function sessionOf({ sessions }: PageDeps, req: Request): Promise<BrowserSession | undefined> {
  const session = await sessions.current(req);
  if (session !== undefined) askedBy(session.accountId);
  return session;
}

export function mountPages(router: Router, pages: readonly Page[], deps: PageDeps): void {
  for (const page of pages) {
    router.get(page.path, forPeople, async (req: Request, res: Response) => {
      const outcome = await page.show({
        deps: forReader(deps, req),
        req,
        res,
        session: () => sessionOf(deps, req),
      });
      await answer(req, res, outcome);
    });
  }
}

/**
 * The only way into every form: session, then origin, then fields. Mount the pages first: one may have a form's
 * address.
 */
export function mountForms(router: Router, forms: readonly Form[], deps: PageDeps): void {
  const readForm = formBody(FORM_MAX_BYTES);
  const isOurOrigin = (origin: string) => origin === new URL(deps.baseUrl).origin;
  for (const form of forms) {
    router.post(form.path, forPeople, readForm, async (req: Request, res: Response) => {
      await answer(req, res, await submit(form, { deps: forReader(deps, req), req, res, isOurOrigin }));
    });
    // The person reloads the answer to a form from the address line.
    router.get(form.path, forPeople, (_req: Request, res: Response) => res.redirect(303, FORMS_PAGE));
    router.all(form.path, forPeople, allowOnly('GET', 'POST'));
  }
}

interface Sent {
  deps: ReaderDeps;
  req: Request;
  res: Response;
  isOurOrigin: (origin: string) => boolean;
}

async function submit(form: Form, { deps, req, res, isOurOrigin }: Sent): Promise<Outcome> {
  const session = await sessionOf(deps, req);
  if (session === undefined) {
    return form.withoutSession?.(req.path) ?? { goTo: `/login?next=${encodeURIComponent(req.path)}` };
  }
  requireOwnForm(req, session, isOurOrigin);
  const fields = form.schema.safeParse(req.body);
  if (!fields.success) {
    throw new ConnectorError(
      'form_invalid',
      'a field of this form is missing or damaged: reload the page and try again',
    );
  }
  try {
    return await form.handle(fields.data, { deps, req, res, session });
  } catch (error) {
    // Refusals about an account do not know that it is the reader's own.
    if (error instanceof ConnectorError && error.code === 'account_unknown')
      await deps.services.account(session.accountId);
    throw error;
  }
}

async function answer(req: Request, res: Response, outcome: Outcome): Promise<void> {
  if ('goTo' in outcome) res.redirect(303, outcome.goTo);
  // A download is not bound by the request's time for the database: a long history may take longer.
  else if ('download' in outcome) await outsideOfRequest(() => sendDownload(req, res, outcome.download));
  else {
    if (outcome.isScripted) letOwnScript(res);
    res.status(outcome.status ?? 200).send(outcome.page);
  }
}

/**
 * Makes refusals pages, and forbids caching: a page belongs to one person, and the next one in this browser must not
 * find it by going back.
 */
const forPeople: RequestHandler[] = [
  speak('page'),
  (_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  },
];
