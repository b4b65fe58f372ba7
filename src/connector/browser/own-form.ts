import type { Request } from 'express';
import { secretMatcher } from '../../kernel/http/bearer.ts';
import { ConnectorError } from '../errors.ts';
import type { BrowserSession } from '../ports/store.ts';

/** The field of every form that proves that we made it, for this session. */
export const CSRF_FIELD = 'csrf';

/** @throws ConnectorError csrf_refused for a form that another site made the browser send */
export function requireOwnForm(req: Request, session: BrowserSession): void {
  const site = req.headers['sec-fetch-site'];
  const presented: unknown = (req.body as Record<string, unknown> | undefined)?.[CSRF_FIELD];
  const isOurs = secretMatcher(session.csrfToken)(typeof presented === 'string' ? presented : undefined);
  if (!isOurs || (site !== undefined && site !== 'same-origin')) {
    throw new ConnectorError('csrf_refused', 'this form is out of date: go back, reload the page and try again');
  }
}
