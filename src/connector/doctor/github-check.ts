import type { GithubSettings } from '../idp/github.ts';
import { githubAddresses } from '../idp/github-addresses.ts';
import type { OutboundProxy } from '../outbound/proxy.ts';
import { type Answered, ask } from './ask.ts';
import { type Finding, ok, problem } from './check.ts';

const UNAUTHORIZED_STATUS = 401;
/** A code that GitHub never issues. */
const NO_CODE = 'homeport-doctor';

/**
 * Checks GitHub, which has no metadata, by two refusals: of a code that does not exist, and of a request without a
 * token.
 */
export async function examineGithub(
  settings: GithubSettings,
  redirectUri: string,
  proxy?: OutboundProxy | undefined,
): Promise<Finding> {
  const { url, clientId, clientSecret } = settings;
  const { token, user } = githubAddresses(settings);
  const body = new URLSearchParams({
    ...{ client_id: clientId, client_secret: clientSecret, code: NO_CODE },
    ...{ grant_type: 'authorization_code', redirect_uri: redirectUri },
  });
  const refused = await ask(token, { method: 'POST', body, headers: { accept: 'application/json' } }, proxy);
  if (typeof refused === 'string') {
    return problem(
      `${url}: ${refused}`,
      'see that this machine reaches it, or set identityProvider.github.url to one that runs',
    );
  }
  const faults = faultOf(refused, { url, redirectUri });
  if (faults !== undefined) return faults;
  const nobody = await ask(user, {}, proxy);
  if (typeof nobody === 'object' && nobody.status === UNAUTHORIZED_STATUS) return ok(`${url} knows the connector`);
  const says = typeof nobody === 'string' ? nobody : `answers ${nobody.status} to a request without a token, not 401`;
  return problem(`${user}: ${says}`, 'set identityProvider.github.apiUrl to the address of its API');
}

/** @see https://docs.github.com/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors */
function faultOf(
  { status, body }: Answered,
  { url, redirectUri }: { url: string; redirectUri: string },
): Finding | undefined {
  const error = body?.['error'];
  switch (error) {
    case 'bad_verification_code':
    // Forgejo and Gitea answer with the code of OAuth.
    case 'invalid_grant':
    case 'unauthorized_client':
      return undefined;
    case 'incorrect_client_credentials':
    case 'invalid_client':
      return problem(
        `${url} does not know this client id with this secret`,
        'take both from the OAuth app there: identityProvider.github.clientId and clientSecretFile',
      );
    case 'redirect_uri_mismatch':
      return problem(
        `${url} would send people elsewhere`,
        `set the callback URL of the OAuth app there to ${redirectUri}`,
      );
    default:
      return problem(
        `${url} answers ${status} and not as GitHub does`,
        'set identityProvider.github.url to the address of GitHub, or of a service with the same sign-in',
      );
  }
}
