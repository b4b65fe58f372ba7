import { ignoringCase, type LoginKey, withCase } from '../domain/login-name.ts';
import type { IdentityProvider } from '../ports/identity-provider.ts';
import type { ProviderFetch } from './code-flow.ts';
import { createGithubProvider, type GithubSettings } from './github.ts';
import { githubAddresses } from './github-addresses.ts';
import { createOidcProvider, type OidcSettings } from './oidc.ts';

/** The chosen identity provider: an object with one key, as in the configuration. */
export type IdentityProviderChoice = { oidc: OidcSettings } | { github: GithubSettings };

/**
 * Creates the configured identity provider.
 * @param redirectUri address to which people return, as it is registered at the provider
 * @param monotonic a clock that never steps back, in milliseconds
 * @param send sends requests to the provider
 */
export function createIdentityProvider(
  choice: IdentityProviderChoice,
  redirectUri: string,
  monotonic: () => number,
  send: ProviderFetch = fetch,
): IdentityProvider {
  return 'github' in choice
    ? createGithubProvider(choice.github, redirectUri, send)
    : createOidcProvider(choice.oidc, redirectUri, monotonic, send);
}

/** The comparison of logins: GitHub ignores case, and OpenID Connect providers promise no such rule. */
export const loginKeyAt = (choice: { oidc: object } | { github: object }): LoginKey =>
  'github' in choice ? ignoringCase : withCase;

/** Whether an administrator assigns logins. At GitHub any person may take a login that was given up. */
export const loginsAreGivenAt = (choice: { oidc: object } | { github: object }): boolean => 'oidc' in choice;

/** The provider's own name, which together with the subject identifies a person. */
export const issuerOf = (
  choice: { oidc: Pick<OidcSettings, 'issuer'> } | { github: Pick<GithubSettings, 'url' | 'apiUrl'> },
): string => ('github' in choice ? githubAddresses(choice.github).issuer : choice.oidc.issuer);
