import { ignoringCase, type LoginKey, withCase } from '../domain/login.ts';
import type { IdentityProvider } from '../ports/identity-provider.ts';
import type { ProviderFetch } from './code-flow.ts';
import { createGithubProvider, type GithubSettings } from './github.ts';
import { githubAddresses } from './github-addresses.ts';
import { createOidcProvider, type OidcSettings } from './oidc.ts';

/** The chosen identity provider: an object with one key, as in the configuration. */
export type IdentityProviderChoice = { oidc: OidcSettings } | { github: GithubSettings };

/**
 * @param redirectUri where people come back, as the connector is registered there
 * @param monotonic a clock that never steps back, in milliseconds
 * @param send how requests reach the provider
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

/** How the provider compares logins: GitHub without case, and an OpenID Connect provider promises nothing. */
export const loginKeyAt = (choice: { oidc: object } | { github: object }): LoginKey =>
  'github' in choice ? ignoringCase : withCase;

/** Whether only somebody in charge gives a login to another person. At GitHub anybody may take one that was given up. */
export const loginsAreGivenAt = (choice: { oidc: object } | { github: object }): boolean => 'oidc' in choice;

/** The provider's own name: people are told apart by it and their subject. */
export const issuerOf = (
  choice: { oidc: Pick<OidcSettings, 'issuer'> } | { github: Pick<GithubSettings, 'url' | 'apiUrl'> },
): string => ('github' in choice ? githubAddresses(choice.github).issuer : choice.oidc.issuer);
