import type { Request } from 'express';
import { secretMatcher } from '../../kernel/http/bearer.ts';
import { ConnectorError } from '../errors.ts';
import type { BrowserSession } from '../ports/store.ts';

/** Field of every form that proves that this service made it, for this session. */
export const CSRF_FIELD = 'csrf';

/**
 * Requires the field, and our site and origin in browsers that name them; older ones name no site and no origin.
 * @throws ConnectorError csrf_refused for a form that another site made the browser send
 */
export function requireOwnForm(req: Request, session: BrowserSession, isOurOrigin: (origin: string) => boolean): void {
  const { origin, 'sec-fetch-site': site } = req.headers;
  const presented: unknown = (req.body as Record<string, unknown> | undefined)?.[CSRF_FIELD];
  const isOurs = secretMatcher(session.csrfToken)(typeof presented === 'string' ? presented : undefined);
  const isFromHere = (site === undefined || site === 'same-origin') && (origin === undefined || isOurOrigin(origin));
  if (!isOurs || !isFromHere) {
    throw new ConnectorError('csrf_refused', 'this form is out of date: go back, reload the page and try again');
  }
}
