/** What values in memory are read from. */
export type Topic =
  | 'account'
  | 'session'
  | 'presence'
  | 'entries'
  | 'cursors'
  | 'oauth'
  | 'subscriptions'
  /** Deliveries were queued: nothing in memory is read from them, but somebody waits for them. */
  | 'deliveries'
  /** Something of the account is still to be cleared away; somebody waits for that, too. */
  | 'owed';

/** One thing that may change: an account, a session, all entries of an account … */
export type Subject = readonly [topic: Topic, key: string];

/** Who changes something tells everybody who may have it in memory. */
export interface Invalidations {
  /** Call it when the change is stored: what is read before may be outdated. */
  tell(topic: Topic, key: string): void;
  on(topic: Topic, forget: (key: string) => void): void;
}
