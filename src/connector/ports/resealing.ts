/** Encrypts what is stored with the newest key, as far as an earlier one did. */
export interface Resealing {
  /** Looks at `limit` more texts at most; false when there are none left. */
  advance(limit: number): Promise<boolean>;
  /** So far. */
  counts(): { renewed: number /** That no key opens. */; unreadable: number };
}
