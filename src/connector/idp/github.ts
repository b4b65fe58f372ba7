import {
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  fetchProtectedResource,
} from 'openid-client';
import type { Identity, IdentityProvider, SignInAttempt } from '../ports/identity-provider.ts';
import {
  isPlainLoopback,
  leaveFor,
  type ProviderFetch,
  REQUEST_DEADLINE_SECONDS,
  requireLogin,
  signInFailure,
  unreachable,
} from './code-flow.ts';
import { type GithubPlace, githubAddresses } from './github-addresses.ts';

const JSON_OF_API = 'application/vnd.github+json';

const [OK_STATUS, BAD_REQUEST_STATUS, SERVER_ERROR_STATUS] = [200, 400, 500];

export interface GithubSettings extends GithubPlace {
  clientId: string;
  clientSecret: string;
}

/**
 * Sign-in by GitHub, which has OAuth 2.0 without ID tokens: its API returns the person. No scope is requested, because
 * login and number are public.
 */
export function createGithubProvider(
  settings: GithubSettings,
  redirectUri: string,
  send: ProviderFetch = fetch,
): IdentityProvider {
  const configuration = configure(settings, send);
  return {
    start: () => leaveFor(configuration, { redirect_uri: redirectUri }, { sendsNonce: false }),
    finish: (callbackUrl, attempt) => finishSignIn(configuration, settings, callbackUrl, attempt),
  };
}

function configure(settings: GithubSettings, send: ProviderFetch): Configuration {
  const { issuer, authorization, token } = githubAddresses(settings);
  const server = { issuer, authorization_endpoint: authorization, token_endpoint: token };
  const configuration = new Configuration(server, settings.clientId, {}, ClientSecretPost(settings.clientSecret));
  configuration.timeout = REQUEST_DEADLINE_SECONDS;
  configuration[customFetch] = refusalsAsStatus(token, send);
  if (isPlainLoopback(new URL(settings.url))) allowInsecureRequests(configuration);
  return configuration;
}

/**
 * Gives GitHub's refusals of a code, which have status 200, the status 400: the library reads the reason in refusals
 * only.
 * @see RFC 6749 §5.2
 */
function refusalsAsStatus(tokenUrl: string, send: ProviderFetch): CustomFetch {
  return async (url, options) => {
    const answer = await send(url, { ...options, body: options.body ?? null });
    if (url !== tokenUrl || answer.status !== OK_STATUS) return answer;
    const text = await answer.text();
    const status = isRefusal(text) ? BAD_REQUEST_STATUS : OK_STATUS;
    return new Response(text, { status, headers: { 'content-type': answer.headers.get('content-type') ?? '' } });
  };
}

function isRefusal(text: string): boolean {
  try {
    return typeof (JSON.parse(text) as { error?: unknown } | null)?.error === 'string';
  } catch {
    // A text that is not JSON is no refusal of GitHub's.
    return false;
  }
}

async function finishSignIn(
  configuration: Configuration,
  settings: GithubSettings,
  callbackUrl: URL,
  { state, codeVerifier }: SignInAttempt,
): Promise<Identity> {
  try {
    const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
    });
    return await whoIs(configuration, settings, tokens.access_token);
  } catch (error) {
    throw signInFailure(error);
  }
}

/** Fetches the person from the API. Logins change owners, numbers do not: the number is the subject. */
async function whoIs(configuration: Configuration, settings: GithubSettings, accessToken: string): Promise<Identity> {
  const { issuer, user } = githubAddresses(settings);
  const accept = new Headers({ accept: JSON_OF_API });
  const answer = await fetchProtectedResource(configuration, accessToken, new URL(user), 'GET', null, accept);
  if (answer.status >= SERVER_ERROR_STATUS) throw unreachable(new Error(`${user} answers ${answer.status}`));
  if (answer.status !== OK_STATUS) throw new Error(`${user} answers ${answer.status}`);
  const { id, login } = ((await answer.json()) ?? {}) as { id?: unknown; login?: unknown };
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) throw new Error(`${user} names no id`);
  return { issuer, subject: String(id), login: requireLogin(login, `the field login at ${user}`) };
}
