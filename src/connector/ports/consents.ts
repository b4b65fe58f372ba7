import type { Scope } from '../domain/scope.ts';

/** What a person has allowed a client, once; every token that follows from it is of its family. */
export interface Consent {
  consentId: string;
  accountId: string;
  clientId: string;
  /** As the person read it. */
  clientName: string;
  scopes: readonly Scope[];
  /** Milliseconds since 1970. */
  createdAt: number;
  /** When the client last got tokens for it. */
  lastUsedAt: number;
}

export interface NewConsent {
  accountId: string;
  clientId: string;
  clientName: string;
  scopes: readonly Scope[];
  /** Identifies the family of tokens. */
  grantHash: string;
}

/** A consent that an earlier version kept only as a grant of the authorization server. */
export interface EarlierConsent extends NewConsent {
  createdAt: number;
  /** Undefined when no token tells. */
  lastUsedAt: number | undefined;
}

/** Consents decide whether their tokens are good: with the consent the whole family ends, at once. */
export interface ConsentStore {
  /** Does nothing where the grant has its consent. */
  begin(consent: NewConsent): Promise<void>;
  /**
   * Begins one that ends at its own time, whatever its use, milliseconds since 1970. Its family is one token, which is given this
   * once. Undefined where the account has as many as it may, or is gone.
   */
  beginToken(
    consent: Pick<NewConsent, 'accountId' | 'clientName' | 'scopes'>,
    endsAt: number,
  ): Promise<{ token: string; clientId: string } | undefined>;
  /** The consent of this family; undefined for one that has ended. */
  standing(grantHash: string): Promise<(Consent & { endsAt: number }) | undefined>;
  /** Those that stand, the last used one first. */
  ofAccount(accountId: string): Promise<Consent[]>;
  /** Whether anybody has allowed the client, as far as it still stands. */
  isAllowed(clientId: string): Promise<boolean>;
  /** False when the account has no such consent. */
  end(accountId: string, consentId: string): Promise<boolean>;
  /** Ends all that the account allows a client. */
  endClient(accountId: string, clientId: string): Promise<void>;
  endAccount(accountId: string): Promise<void>;
  endFamily(grantHash: string): Promise<void>;
  /** Takes over what an earlier version granted; false when its account is gone. */
  adopt(earlier: EarlierConsent): Promise<boolean>;
  /** Ends at most `limit` that were not used for too long; returns how many. */
  removeEnded(limit: number): Promise<number>;
}
