import type { Scope } from '../domain/scope.ts';

/** A person's consent to a client; every token that follows from it is of its family. */
export interface Consent {
  consentId: string;
  accountId: string;
  clientId: string;
  /** Client's name as the person read it. */
  clientName: string;
  /** Name that the person gives the client; null without one. All standing consents of a client have the same. */
  givenName: string | null;
  scopes: readonly Scope[];
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Time at which the client last got tokens for it. */
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
  /** Undefined if no token shows it. */
  lastUsedAt: number | undefined;
}

/** Consents decide whether their tokens are valid: a consent ends with its whole family, at once. */
export interface ConsentStore {
  /** Begins a consent, unless the grant has one. The name that the person gave the client stays. */
  begin(consent: NewConsent): Promise<void>;
  /**
   * Begins a consent that ends at `endsAt`, milliseconds since 1970, independent of its use. Its family is one token,
   * which is returned only once. Undefined if the account has its maximum, or is gone.
   */
  beginToken(
    consent: Pick<NewConsent, 'accountId' | 'clientName' | 'scopes'>,
    endsAt: number,
  ): Promise<{ token: string; clientId: string } | undefined>;
  /** Returns the consent of this family; undefined if it has ended. */
  standing(grantHash: string): Promise<(Consent & { endsAt: number }) | undefined>;
  /** Lists the standing consents, the last used one first. */
  ofAccount(accountId: string): Promise<Consent[]>;
  /** Sets or removes the name of a consent's client; false if the account has no such standing consent. */
  rename(accountId: string, consentId: string, name: string | null): Promise<boolean>;
  /** Returns whether the client has a standing consent of any person. */
  isAllowed(clientId: string): Promise<boolean>;
  /** Ends a consent; false if the account has no such consent. */
  end(accountId: string, consentId: string): Promise<boolean>;
  /** Ends all consents of the account for a client. */
  endClient(accountId: string, clientId: string): Promise<void>;
  endAccount(accountId: string): Promise<void>;
  endFamily(grantHash: string): Promise<void>;
  /** Takes over a grant of an earlier version; false if its account is gone. */
  adopt(earlier: EarlierConsent): Promise<boolean>;
  /** Ends at most `limit` consents that were unused for too long; returns how many. */
  removeEnded(limit: number): Promise<number>;
}
