/** Removes entries, the oldest first, at most `limit` in one transaction; returns how many. */
export interface RetentionStore {
  pruneOlder(accountId: string, before: number, limit: number): Promise<number>;
  /** Removes all but the newest `keep` entries of the account. */
  pruneExcess(accountId: string, keep: number, limit: number): Promise<number>;
}
