import type { Request, RequestHandler, Response, Router } from 'express';
import { requireOwnForm } from '../browser/own-form.ts';
import { ConnectorError } from '../errors.ts';
import { formBody } from '../http/body.ts';
import { speak } from '../http/exchange.ts';
import type { Form } from './define-form.ts';
import type { Outcome, Page } from './define-page.ts';
import type { PageDeps } from './page-deps.ts';

const FORM_MAX_BYTES = 64 * 1024;

export function mountPages(router: Router, pages: readonly Page[], deps: PageDeps): void {
  for (const page of pages) {
    router.get(page.path, forPeople, async (req: Request, res: Response) => {
      answer(res, await page.show({ deps, req, res, session: () => deps.sessions.current(req) }));
    });
  }
}

/** The one way into every form: session, then origin, then fields. */
export function mountForms(router: Router, forms: readonly Form[], deps: PageDeps): void {
  const readForm = formBody(FORM_MAX_BYTES);
  for (const form of forms) {
    router.post(form.path, forPeople, readForm, async (req: Request, res: Response) => {
      answer(res, await submit(form, deps, req, res));
    });
  }
}

async function submit(form: Form, deps: PageDeps, req: Request, res: Response): Promise<Outcome> {
  const session = await deps.sessions.current(req);
  if (session === undefined) {
    return form.withoutSession?.(req.path) ?? { goTo: `/login?next=${encodeURIComponent(req.path)}` };
  }
  requireOwnForm(req, session);
  const fields = form.schema.safeParse(req.body);
  if (!fields.success) {
    throw new ConnectorError(
      'form_invalid',
      'a field of this form is missing or damaged: reload the page and try again',
    );
  }
  return form.handle(fields.data, { deps, req, res, session });
}

function answer(res: Response, outcome: Outcome): void {
  if ('goTo' in outcome) res.redirect(303, outcome.goTo);
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
