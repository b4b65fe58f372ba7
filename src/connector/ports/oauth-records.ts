/** One record of the authorization server; ids are hashes, the payload is text. */
export interface OauthRecord {
  idHash: string;
  uidHash: string | null;
  /** Identifies everything that one consent granted. Such a record ends with its consent, whatever its own term. */
  grantHash: string | null;
  payload: string;
  /** Milliseconds since 1970; null for one that has no term of its own. */
  expiresAt: number | null;
}

export interface FoundRecord {
  payload: string;
  consumedAt: number | null;
  /** When it ends, or its consent, if that is earlier. */
  endsAt: number;
}

/** What one request to the token endpoint changes. */
export interface Redemption {
  /** The code or refresh token that is used up. */
  consumed: { kind: string; idHash: string };
  /** What is given for it, of the same consent. */
  issued: readonly (OauthRecord & { kind: string })[];
  /** Whether the client still waits for the answer; without it, it does. */
  isAwaited?(): boolean;
}

/**
 * Kind of the record that holds the answer to the first use of a refresh token. It has the hash of that token as its id, that of
 * the refresh token in the answer as its uid, and a term of its own.
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
  /** Undefined when it can't be decrypted: it is from before the keys were replaced. */
  payload: string | undefined;
  /** When the newest refresh token of its family ends. */
  refreshableUntil: number | undefined;
}

/** Kind of the record of an undecided authorization request. */
export const INTERACTION = 'Interaction';

/** How many records of a kind there may be that strangers can ask for. */
export interface RecordBounds {
  all: number;
  /** Of those, from one address. */
  perOrigin: number;
  /** In all, also while people have to do with them. */
  atMost: number;
  /** Whether even those go then, of the address that has most. */
  alsoBusy: boolean;
}

export interface OauthRecords {
  save(kind: string, record: OauthRecord): Promise<void>;
  /** Undefined also when it has ended. */
  find(kind: string, by: { idHash: string } | { uidHash: string }): Promise<FoundRecord | undefined>;
  /**
   * All of it or nothing. The first use of what is consumed makes the consent last from now. A further use gets the successor
   * again, until the successor's own term is over or its refresh token is used; after that it ends the consent. Where nobody got the
   * answer to the first use, as far as is known, that term begins with the next answer. May be called again with the same when a
   * failure leaves open whether it was stored.
   */
  redeem(redemption: Redemption): Promise<RedemptionOutcome>;
  destroy(kind: string, idHash: string): Promise<void>;
  /** Takes the term from a record: it stays. */
  keep(kind: string, idHash: string): Promise<void>;
  /**
   * Stores a record that strangers can ask for, as a client that nobody has authorised yet, and removes others of its kind where
   * there would be more than may be.
   * @param originHash hash of the address that asks for it
   * @returns false where it is not stored, because its address has as many as it may
   */
  admit(kind: string, record: OauthRecord, originHash: string, bounds: RecordBounds): Promise<boolean>;
  /** Keeps such a record from being removed for others, and from ending, until `until`, milliseconds since 1970. */
  keepBusy(kind: string, idHash: string, until: number): Promise<void>;
  /** Removes at most `limit` that have ended; returns how many. */
  removeEnded(limit: number): Promise<number>;
  /**
   * Gives a term to clients whose consents have all ended, as they had until somebody authorised them. Looks at the next `limit`
   * clients at each call; returns how many got one.
   */
  releaseClients(limit: number): Promise<number>;
  /** Those after the one given, in the order of their hashes, at most `limit`. */
  earlierGrants(after: string, limit: number): Promise<EarlierGrant[]>;
}
