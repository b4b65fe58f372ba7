/** Kinds of data that values in memory are read from. */
export type Topic =
  | 'account'
  | 'session'
  | 'presence'
  | 'entries'
  | 'cursors'
  | 'oauth'
  | 'subscriptions'
  /** Deliveries were queued: they are not cached, but their worker waits for them. */
  | 'deliveries'
  /** Orders for the account were stored, or their outcomes: they are not cached, but others wait for them. */
  | 'orders'
  /** The account has data to remove; a worker waits for that, too. */
  | 'owed'
  /** A process without the account's session has accepted a send: the one that has the session writes it. */
  | 'sends'
  /** Accounts have passed from one process to another, or wait for one. */
  | 'slots';

/** Key of changed data: an account, a session, all entries of an account … */
export type Subject = readonly [topic: Topic, key: string];

/** Reports changes of stored data to the caches and workers that depend on them. */
export interface Invalidations {
  /** Reports a change after it is stored: values read before may be outdated. */
  invalidate(topic: Topic, key: string): void;
  /** @param forget gets the key of what has changed; undefined if all data of the topic may have changed */
  on(topic: Topic, forget: (key: string | undefined) => void): void;
  /** How long values in memory may be used. */
  readonly freshness: Freshness;
}

/** Answers whether other processes may have changed what this one has read. */
export interface Freshness {
  /**
   * Returns the number of the present period in which this process alone changes stored data, so that `Invalidations`
   * reports every change; undefined while others may change it. Values from another period may be outdated.
   */
  alone(): number | undefined;
  /** Returns milliseconds from an arbitrary start, including suspended time. */
  sinceBoot(): number;
}
