import type { Provider } from 'oidc-provider';
import { isScope } from '../domain/scope.ts';
import type { VerifyToken } from '../domain/verified-token.ts';

/**
 * Returns a function that looks a token up in the authorization server's records. A token whose consent has ended is
 * not found there.
 */
export function createTokenVerifier(provider: Provider, baseUrl: string): VerifyToken {
  return async (value) => {
    const token = await provider.AccessToken.find(value);
    if (token === undefined || !token.isValid || token.aud !== baseUrl) return undefined;
    return {
      accountId: token.accountId,
      clientId: token.clientId ?? '',
      scopes: (token.scope ?? '').split(' ').filter(isScope),
      expiresAt: token.exp ?? 0,
    };
  };
}
