import type { Request, Response } from 'express';
import type { BrowserSession } from '../ports/store.ts';
import type { Download } from './download.ts';
import type { PageDeps } from './page-deps.ts';

/** What a page or a form answers: another address, a document, or a file to keep. */
export type Outcome = { goTo: string } | { page: string; status?: number } | { download: Download };

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

/** One request for a page by somebody who is signed in. */
export interface OwnVisit extends Visit {
  person: BrowserSession;
}

/** A page that only somebody who is signed in sees; everybody else is sent to sign in first. */
export const pageForPerson = ({
  path,
  show,
}: {
  path: string;
  show(visit: OwnVisit): Outcome | Promise<Outcome>;
}): Page => ({
  path,
  show: async (visit) => {
    const person = await visit.session();
    return person === undefined ? signInFirst(visit.req.path) : show({ ...visit, person });
  },
});
