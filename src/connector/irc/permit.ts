/**
 * Whether this process may act at this moment. Check it in the same turn as the action: after any wait it may be gone.
 */
export interface Permit {
  isGiven(): boolean;
  /**
   * Whether a connection closed here stays open at the other end until this process has ended: another process is about
   * to attach, and the account needs a session meanwhile.
   */
  readonly isHandingOver?: boolean;
  /** Calls `ended` each time the permit ends; the returned function unsubscribes. */
  onEnd(ended: () => void): () => void;
}

/** Permit of a program that shares its right to act with no other process. */
export const ALWAYS: Permit = { isGiven: () => true, onEnd: () => () => undefined };
