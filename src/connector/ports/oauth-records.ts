/** One record of the authorization server; ids are hashes, the payload is text. */
export interface OauthRecord {
  idHash: string;
  uidHash: string | null;
  /** Identifies the family of one consent. Such a record ends with its consent, even before its own term. */
  grantHash: string | null;
  payload: string;
  /** Milliseconds since 1970; null without a term of its own. */
  expiresAt: number | null;
}

export interface FoundRecord {
  payload: string;
  consumedAt: number | null;
  /** End of the record or of its consent, whichever is earlier. */
  endsAt: number;
}

/** Changes of one request to the token endpoint. */
export interface Redemption {
  /** The code or refresh token that is used up. */
  consumed: { kind: string; idHash: string };
  /** Records issued for it, of the same consent. */
  issued: readonly (OauthRecord & { kind: string })[];
  /** Returns whether the client still waits for the answer; by default it does. */
  isAwaited?(): boolean;
}

/**
 * Kind of the record that holds the answer to the first use of a refresh token. Its id is the hash of that token, its
 * uid the hash of the refresh token in the answer, and it has a term of its own.
 */
export const SUCCESSOR = 'Successor';

/**
 * `stored`: the first use. `repeated`: a further use while it may be repeated, with the payload of the successor. `refused`: any
 * other use, which has ended the consent, or one of a consent that had ended.
 */
export type RedemptionOutcome = { kind: 'stored' | 'refused' } | { kind: 'repeated'; payload: string };

/** A grant of an earlier version, which kept no consents. */
export interface EarlierGrant {
  grantHash: string;
  /** Undefined if it can't be decrypted, because the keys were replaced since. */
  payload: string | undefined;
  /** End of the newest refresh token of its family. */
  refreshableUntil: number | undefined;
}

/** Kind of the record of an undecided authorization request. */
export const INTERACTION = 'Interaction';

/** Limits on records of a kind that strangers can create. */
export interface RecordBounds {
  all: number;
  /** Share of one address. */
  perOrigin: number;
  /** Limit that includes records in use by people. */
  atMost: number;
  /** Whether records in use are removed at that limit, from the address with the most. */
  alsoBusy: boolean;
}

export interface OauthRecords {
  save(kind: string, record: OauthRecord): Promise<void>;
  /** Undefined also if it has ended. */
  find(kind: string, by: { idHash: string } | { uidHash: string }): Promise<FoundRecord | undefined>;
  /**
   * Redeems in one transaction. The first use of the consumed record renews the consent. A further use gets the
   * successor again, until the successor's own term is over or its refresh token is used; after that it ends the
   * consent. If no client got the answer to the first use, as far as is known, that term begins with the next answer.
   * May be called again with the same redemption if a failure leaves open whether it was stored.
   */
  redeem(redemption: Redemption): Promise<RedemptionOutcome>;
  destroy(kind: string, idHash: string): Promise<void>;
  /** Removes a record's term, so that it stays. */
  keep(kind: string, idHash: string): Promise<void>;
  /**
   * Stores a record that strangers can create, such as a client that no person has authorised yet, and removes others
   * of its kind where there would be too many.
   * @param originHash hash of the requesting address
   * @returns false if it is not stored because its address has its maximum
   */
  admit(kind: string, record: OauthRecord, originHash: string, bounds: RecordBounds): Promise<boolean>;
  /** Protects such a record from removal and expiry until `until`, milliseconds since 1970. */
  keepBusy(kind: string, idHash: string, until: number): Promise<void>;
  /** Removes at most `limit` ended records; returns how many. */
  removeEnded(limit: number): Promise<number>;
  /**
   * Gives clients without a standing consent the term that they had before their first consent. Checks the next `limit`
   * clients at each call; returns how many got a term.
   */
  releaseClients(limit: number): Promise<number>;
  /** Lists grants after the given one, in order of their hashes, at most `limit`. */
  earlierGrants(after: string, limit: number): Promise<EarlierGrant[]>;
}
