import type { Request, Response } from 'express';
import type { z } from 'zod';
import { CSRF_FIELD } from '../browser/own-form.ts';
import type { BrowserSession } from '../ports/store.ts';
import type { Outcome } from './define-page.ts';
import { type Html, html } from './html.ts';
import type { PageDeps } from './page-deps.ts';

/** One form that a signed-in person sent from a page of ours. */
export interface Submission {
  deps: PageDeps;
  req: Request;
  res: Response;
  session: BrowserSession;
}

/** What happens when a person sends a form. Session, origin and fields are checked before `handle` is called. */
export interface Form<S extends z.ZodType = z.ZodType> {
  /** Where the browser sends it, in the form that express takes. */
  path: string;
  /** Its fields. */
  schema: S;
  /** @throws ConnectorError which is answered as a page of its own */
  handle(input: z.output<S>, submission: Submission): Promise<Outcome>;
  /** The answer when nobody is signed in any more: by default the sign-in page, and from there the form's page. */
  withoutSession?(path: string): Outcome;
}

/** Keeps the type of the fields for `handle`. */
export const defineForm = <S extends z.ZodType>(form: Form<S>): Form => form;

/** Stands in every form; without it the form is refused. */
export const csrfField = ({ csrfToken }: BrowserSession): Html =>
  html`<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}">`;
