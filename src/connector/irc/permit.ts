/** Whether this process may act at this moment. It must be asked in the turn in which something is done: after any wait it may be gone. */
export interface Permit {
  isGiven(): boolean;
  /**
   * Whether a connection that is closed here stays open at the other end until this process has ended: another process is
   * about to attach, and the account is to have a session meanwhile.
   */
  readonly isHandingOver?: boolean;
  /** Calls `ended` each time when the permit is no longer given; the result stops that. */
  onEnd(ended: () => void): () => void;
}

/** For a program that shares its right to act with no other process. */
export const ALWAYS: Permit = { isGiven: () => true, onEnd: () => () => undefined };
