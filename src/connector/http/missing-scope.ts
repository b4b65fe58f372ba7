import { SCOPES, type Scope } from '../domain/scope.ts';

/** What a client is told whose token lacks a scope. */
export interface MissingScope {
  /** What it is to ask for: what it has and what it lacks. A client that asked for the missing one alone would lose the others. */
  scopes: readonly [Scope, ...Scope[]];
  /** Says where the person allows it. Without quotation marks and backslashes, which a challenge can't hold. @see RFC 6750 §3 */
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
