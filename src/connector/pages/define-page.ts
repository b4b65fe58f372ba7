import type { Request, Response } from 'express';
import { safeReturn } from '../browser/safe-return.ts';
import type { BrowserSession } from '../ports/store.ts';
import type { Download } from './download.ts';
import type { ReaderDeps } from './page-deps.ts';

/** The answer of a page or a form: another address, a document, or a download. */
export type Outcome =
  | { goTo: string }
  | {
      page: string;
      status?: number;
      /** Whether the page has our script. */
      isScripted?: true;
    }
  | { download: Download };

/** One request for a page. */
export interface Visit {
  deps: ReaderDeps;
  req: Request;
  res: Response;
  /** The session of this browser; undefined before sign-in. */
  session(): Promise<BrowserSession | undefined>;
}

/** A document that a browser shows at an address. */
export interface Page {
  /** Path in Express's syntax. */
  path: string;
  /** @throws ConnectorError which is answered as a page of its own */
  show(visit: Visit): Outcome | Promise<Outcome>;
}

/** Redirects to the identity provider, and from there back to the page at `path`. */
export const signInFirst = (path: string): Outcome => ({ goTo: `/login/idp?next=${encodeURIComponent(path)}` });

/** One request for a page by a signed-in person. */
export interface OwnVisit extends Visit {
  person: BrowserSession;
}

/** Defines a page for signed-in people; all others are sent to sign in first. */
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
    if (person !== undefined) return show({ ...visit, person });
    const { originalUrl: asked, path: itself } = visit.req;
    return signInFirst(safeReturn(asked) === asked ? asked : itself);
  },
});
