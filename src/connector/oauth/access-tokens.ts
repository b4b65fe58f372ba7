import type { Provider } from 'oidc-provider';
import { isScope, type Scope } from '../domain/scope.ts';

/** A token that was presented and holds. */
export interface VerifiedToken {
  accountId: string;
  clientId: string;
  scopes: Scope[];
  /** Seconds since 1970. */
  expiresAt: number;
}

export type VerifyToken = (token: string) => Promise<VerifiedToken | undefined>;

/** Undefined for a token that is unknown, expired, revoked, or bound to another resource. */
export function createTokenVerifier(provider: Provider, baseUrl: string): VerifyToken {
  return async (value) => {
    const token = await provider.AccessToken.find(value);
    if (token === undefined || !token.isValid || token.aud !== baseUrl) return undefined;
    // A family ended while a token of it was being issued leaves that token behind.
    if ((await provider.Grant.find(token.grantId)) === undefined) return undefined;
    return {
      accountId: token.accountId,
      clientId: token.clientId ?? '',
      scopes: (token.scope ?? '').split(' ').filter(isScope),
      expiresAt: token.exp ?? 0,
    };
  };
}
