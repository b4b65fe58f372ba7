import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  OAuthError,
  OAuthErrorCode,
  type ScopeChallenge,
} from '@modelcontextprotocol/server';
import type { Scope } from '../domain/scope.ts';
import { missingScope } from '../http/missing-scope.ts';

/** Scopes that a caller is asked to get; undefined if it has the needed one. */
export function scopeChallenge(
  scope: Scope,
  authInfo: AuthInfo | undefined,
  settingsUrl: string,
): ScopeChallenge | undefined {
  const granted = authInfo?.scopes ?? [];
  if (granted.includes(scope)) return undefined;
  const { scopes, description } = missingScope(scope, granted, settingsUrl);
  return { scopes, errorDescription: description };
}

/** The answer that the library also gives for tools. */
export function challengeResponse(
  { scopes, errorDescription = '' }: ScopeChallenge,
  resourceMetadataUrl: string,
): globalThis.Response {
  return bearerAuthChallengeResponse(new OAuthError(OAuthErrorCode.InsufficientScope, errorDescription), {
    requiredScopes: [...scopes],
    resourceMetadataUrl,
  });
}
