import type { Request, Response } from 'express';
import type { BrowserSession } from '../ports/store.ts';
import type { PageDeps } from './page-deps.ts';

/** What a page or a form answers: another address, or a document. */
export type Outcome = { goTo: string } | { page: string; status?: number };

/** One request for a page. */
export interface Visit {
  deps: PageDeps;
  req: Request;
  res: Response;
  /** Undefined while nobody is signed in in this browser. */
  session(): Promise<BrowserSession | undefined>;
}

/** What a browser shows at an address. */
export interface Page {
  /** In the form that express takes. */
  path: string;
  /** @throws ConnectorError which is answered as a page of its own */
  show(visit: Visit): Outcome | Promise<Outcome>;
}

/** To the identity provider, and from there back to the page at `path`. */
export const signInFirst = (path: string): Outcome => ({ goTo: `/login/idp?next=${encodeURIComponent(path)}` });
