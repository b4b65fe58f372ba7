export interface AgentSessionStore {
  create(accountId: string, clientId: string): Promise<string>;
  /** Extends the session; false when it is unknown, expired, or of another client. */
  touch(sessionId: string, accountId: string, clientId: string): Promise<boolean>;
  /** Removes at most `limit` expired sessions; returns how many. */
  removeEnded(limit: number): Promise<number>;
}
