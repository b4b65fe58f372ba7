export interface BrowserSession {
  accountId: string;
  csrfToken: string;
}

export interface BrowserSessionStore {
  /** Returns the secret for the cookie; only its hash is stored. */
  create(accountId: string): Promise<string>;
  /** The session of a cookie; each use extends it. */
  use(secret: string): Promise<BrowserSession | undefined>;
  destroy(secret: string): Promise<void>;
  /** Removes at most `limit` sessions that have ended; returns how many. */
  removeEnded(limit: number): Promise<number>;
}
