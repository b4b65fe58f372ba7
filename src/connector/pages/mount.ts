import type { Request, RequestHandler, Response, Router } from 'express';
import { requireOwnForm } from '../browser/own-form.ts';
import { outsideOfRequest } from '../database-time.ts';
import { ConnectorError } from '../errors.ts';
import { formBody } from '../http/body.ts';
import { speak } from '../http/exchange.ts';
import { allowOnly } from '../http/methods.ts';
import type { Form } from './define-form.ts';
import type { Outcome, Page } from './define-page.ts';
import { sendDownload } from './download.ts';
import type { PageDeps } from './page-deps.ts';

const FORM_MAX_BYTES = 64 * 1024;

/** The page that most forms are on, and that a browser is sent to which asks for the address of a form alone. */
const FORMS_PAGE = '/settings';

export function mountPages(router: Router, pages: readonly Page[], deps: PageDeps): void {
  for (const page of pages) {
    router.get(page.path, forPeople, async (req: Request, res: Response) => {
      const outcome = await page.show({ deps, req, res, session: () => deps.sessions.current(req) });
      await answer(req, res, outcome);
    });
  }
}

/** The one way into every form: session, then origin, then fields. Mount the pages first: one may have a form's address. */
export function mountForms(router: Router, forms: readonly Form[], deps: PageDeps): void {
  const readForm = formBody(FORM_MAX_BYTES);
  const isOurOrigin = (origin: string) => origin === new URL(deps.baseUrl).origin;
  for (const form of forms) {
    router.post(form.path, forPeople, readForm, async (req: Request, res: Response) => {
      await answer(req, res, await submit(form, { deps, req, res, isOurOrigin }));
    });
    // Somebody reloads the answer to a form by the address line.
    router.get(form.path, forPeople, (_req: Request, res: Response) => res.redirect(303, FORMS_PAGE));
    router.all(form.path, forPeople, allowOnly('GET', 'POST'));
  }
}

interface Sent {
  deps: PageDeps;
  req: Request;
  res: Response;
  isOurOrigin: (origin: string) => boolean;
}

async function submit(form: Form, { deps, req, res, isOurOrigin }: Sent): Promise<Outcome> {
  const session = await deps.sessions.current(req);
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
  return form.handle(fields.data, { deps, req, res, session });
}

async function answer(req: Request, res: Response, outcome: Outcome): Promise<void> {
  if ('goTo' in outcome) res.redirect(303, outcome.goTo);
  // A long history takes as long as it takes.
  else if ('download' in outcome) await outsideOfRequest(() => sendDownload(req, res, outcome.download));
  else res.status(outcome.status ?? 200).send(outcome.page);
}

/** Refusals are pages too. A page belongs to one person: the next in this browser must not find it by going back. */
const forPeople: RequestHandler[] = [
  speak('page'),
  (_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  },
];
