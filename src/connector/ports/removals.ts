/** An account that nobody has access to any more, and that is not gone yet. */
export interface ClosedAccount {
  accountId: string;
  /** Name of its user in the bouncer. */
  bouncerUser: string;
  /** Whether it still has entries, which are removed first. */
  hasHistory: boolean;
}

/** The end of access; of an account's, first of all, and then of what is kept of it. Between the two the program may end. */
export interface RemovalStore {
  /**
   * Ends all access in one transaction: tokens, agents' sessions, subscriptions, signed-in browsers. Login, nick and the place
   * among the accounts are free from then on. False for an account that does not exist.
   */
  close(accountId: string): Promise<boolean>;
  /** Ends in one transaction what a client may do for an account, and its sessions. */
  closeClient(accountId: string, clientId: string): Promise<void>;
  closed(): Promise<ClosedAccount[]>;
  /** Removes a closed account and what is left of it. */
  finish(accountId: string): Promise<void>;
}
