import type { Request, Response } from 'express';
import { BROWSER_SESSION_MAX_MS } from '../domain/limits.ts';
import type { BrowserSession, BrowserSessionStore } from '../ports/store.ts';
import { COOKIE_OPTIONS, cookieOf } from './cookies.ts';

const COOKIE = '__Host-homeport';

export interface BrowserSessionsOptions {
  store: BrowserSessionStore;
  /**
   * Further cookies that are cleared when another person signs in or the session ends, so that the next person inherits
   * no data.
   */
  alsoForget: readonly string[];
}

/**
 * Sessions of signed-in people, by browser; a cookie holds the secret of the session. The pages and the events of
 * owners rely on it.
 */
export class BrowserSessions {
  readonly #store: BrowserSessionStore;
  readonly #alsoForget: readonly string[];

  constructor({ store, alsoForget }: BrowserSessionsOptions) {
    this.#store = store;
    this.#alsoForget = alsoForget;
  }

  /** Returns the session of the request's browser, extended by this use; undefined without one. */
  async current(req: Request): Promise<BrowserSession | undefined> {
    const secret = cookieOf(req, COOKIE);
    return secret === undefined ? undefined : this.#store.use(secret);
  }

  /**
   * Begins a new session for each sign-in, so that one planted before it is useless. Pages of the same person in other
   * tabs stay valid: the new session keeps the token of their forms.
   */
  async begin(req: Request, res: Response, accountId: string): Promise<void> {
    const before = await this.current(req);
    const isSamePerson = before?.accountId === accountId;
    await this.#forget(req, res, isSamePerson ? [] : this.#alsoForget);
    const secret = await this.#store.create(accountId, isSamePerson ? before.csrfToken : undefined);
    res.cookie(COOKIE, secret, { ...COOKIE_OPTIONS, maxAge: BROWSER_SESSION_MAX_MS });
  }

  async end(req: Request, res: Response): Promise<void> {
    await this.#forget(req, res, [COOKIE, ...this.#alsoForget]);
  }

  async #forget(req: Request, res: Response, cookies: readonly string[]): Promise<void> {
    const secret = cookieOf(req, COOKIE);
    if (secret !== undefined) await this.#store.destroy(secret);
    for (const name of cookies) res.clearCookie(name, COOKIE_OPTIONS);
  }
}
