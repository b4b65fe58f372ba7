/** Whether this process may act at this moment. It must be asked in the turn in which something is done: after any wait it may be gone. */
export interface Permit {
  isGiven(): boolean;
  /** Calls `ended` each time when the permit is no longer given; the result stops that. */
  onEnd(ended: () => void): () => void;
}

/** For a program that shares its right to act with no other process. */
export const ALWAYS: Permit = { isGiven: () => true, onEnd: () => () => undefined };
