import type { Scope } from './scope.ts';

/** A presented access token that is valid. */
export interface VerifiedToken {
  accountId: string;
  clientId: string;
  scopes: Scope[];
  /** Seconds since 1970. */
  expiresAt: number;
}

/** Checks a token. Undefined for one that is unknown, expired, revoked, or bound to another resource. */
export type VerifyToken = (token: string) => Promise<VerifiedToken | undefined>;
