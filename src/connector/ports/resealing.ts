/** Encrypts stored texts of earlier keys with the newest key. */
export interface Resealing {
  /** Checks at most `limit` more texts; false if no texts are left. */
  advance(limit: number): Promise<boolean>;
  /** Numbers so far. */
  counts(): { renewed: number /** Texts that no key opens. */; unreadable: number };
}
