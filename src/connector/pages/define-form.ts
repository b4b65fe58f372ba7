import type { Request, Response } from 'express';
import type { z } from 'zod';
import { CSRF_FIELD } from '../browser/own-form.ts';
import type { BrowserSession } from '../ports/store.ts';
import type { Outcome } from './define-page.ts';
import { type Html, html } from './html.ts';
import type { ReaderDeps } from './page-deps.ts';

/** One form that a signed-in person sent from a page of ours. */
export interface Submission {
  deps: ReaderDeps;
  req: Request;
  res: Response;
  session: BrowserSession;
}

/**
 * A form and the handler that runs when a person sends it. Session, origin and fields are checked before `handle` is
 * called.
 */
export interface Form<S extends z.ZodType = z.ZodType> {
  /** Path that the browser posts to, in Express's syntax. */
  path: string;
  /** Schema of its fields. */
  schema: S;
  /** @throws ConnectorError which is answered as a page of its own */
  handle(input: z.output<S>, submission: Submission): Promise<Outcome>;
  /** The answer without a session: by default the sign-in page, and from there the form's page. */
  withoutSession?(path: string): Outcome;
}

/** Keeps the type of the fields for `handle`. */
export const defineForm = <S extends z.ZodType>(form: Form<S>): Form => form;

/** Hidden field of every form; a form without it is refused. */
export const csrfField = ({ csrfToken }: BrowserSession): Html =>
  html`<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}">`;
