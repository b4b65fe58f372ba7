import { SCOPES, type Scope } from '../domain/scope.ts';

/** The refusal for a token that lacks a scope. */
export interface MissingScope {
  /**
   * Scopes to request: those already granted plus the missing one. A client that asked for the missing one alone would
   * lose the others.
   */
  scopes: readonly [Scope, ...Scope[]];
  /**
   * Sentence with the page where the person allows it. It has no quotation marks and backslashes, which a challenge
   * can't hold.
   * @see RFC 6750 §3
   */
  description: string;
}

export function missingScope(missing: Scope, granted: readonly string[], settingsUrl: string): MissingScope {
  const [first = missing, ...others] = SCOPES.filter((scope) => scope === missing || granted.includes(scope));
  const scopes = [first, ...others] as const;
  return {
    scopes,
    description:
      `the person has not allowed ${missing} to this client: let it sign in again and ask for ${scopes.join(' ')}; ` +
      `the person sees what it has at ${settingsUrl}, and can revoke it there so that it asks anew`,
  };
}
