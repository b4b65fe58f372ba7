/** An account without access that is not deleted yet. */
export interface ClosedAccount {
  accountId: string;
  /** Name of its user in the bouncer. */
  bouncerUser: string;
  /** Whether it still has entries, which are removed first. */
  hasHistory: boolean;
}

/** Removes accounts in two steps, because the program may end in between: first all access, then the data. */
export interface RemovalStore {
  /**
   * Ends all access in one transaction: tokens, agents' sessions, subscriptions, signed-in browsers. Login, nick and
   * the place among the accounts become free. False for an account that does not exist.
   */
  close(accountId: string): Promise<boolean>;
  /** Ends a client's access to an account, and its sessions, in one transaction. */
  closeClient(accountId: string, clientId: string): Promise<void>;
  closed(): Promise<ClosedAccount[]>;
  /** Deletes a closed account and its remaining data. */
  finish(accountId: string): Promise<void>;
}
