import {
  allowInsecureRequests,
  authorizationCodeGrant,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  fetchUserInfo,
  type IDToken,
} from 'openid-client';
import type { Identity, IdentityProvider, SignInAttempt } from '../ports/identity-provider.ts';
import {
  isPlainLoopback,
  leaveFor,
  looksMoved,
  type ProviderFetch,
  REQUEST_DEADLINE_SECONDS,
  requireLogin,
  requireSubject,
  signInFailure,
  unreachable,
} from './code-flow.ts';
import { Metadata } from './metadata.ts';

const SCOPE = 'openid profile';

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Claim that holds the login. */
  loginClaim: string;
}

/**
 * Sign-in by OpenID Connect.
 * @param monotonic a clock that never steps back, in milliseconds
 */
export function createOidcProvider(
  settings: OidcSettings,
  redirectUri: string,
  monotonic: () => number,
  send: ProviderFetch = fetch,
): IdentityProvider {
  const metadata = new Metadata({ discover: () => discover(settings, send), monotonic });
  const configuration = (): Promise<Configuration> =>
    metadata.current().catch((error: unknown) => {
      throw unreachable(error);
    });
  return {
    start: async () =>
      leaveFor(await configuration(), { redirect_uri: redirectUri, scope: SCOPE }, { sendsNonce: true }),
    finish: async (callbackUrl, attempt) => {
      const now = await configuration();
      try {
        return await finishSignIn(now, settings, callbackUrl, attempt);
      } catch (error) {
        if (looksMoved(error)) metadata.doubt();
        throw signInFailure(error);
      }
    },
  };
}

function discover({ issuer, clientId, clientSecret }: OidcSettings, send: ProviderFetch): Promise<Configuration> {
  const url = new URL(issuer);
  return discovery(url, clientId, undefined, clientAuthentication(clientSecret), {
    [customFetch]: ((address, init) => send(address, { ...init, body: init.body ?? null })) as CustomFetch,
    timeout: REQUEST_DEADLINE_SECONDS,
    execute: isPlainLoopback(url) ? [allowInsecureRequests] : [],
  });
}

/**
 * Chooses the client authentication. A provider that lists no methods takes the secret in a header only.
 * @see OpenID Connect Discovery 1.0 §3
 */
function clientAuthentication(clientSecret: string): ClientAuth {
  const [inBody, inHeader] = [ClientSecretPost(clientSecret), ClientSecretBasic(clientSecret)];
  return (server, ...rest) => {
    const takesBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    return (takesBody ? inBody : inHeader)(server, ...rest);
  };
}

async function finishSignIn(
  configuration: Configuration,
  { issuer, loginClaim }: OidcSettings,
  callbackUrl: URL,
  { state, nonce, codeVerifier }: SignInAttempt,
): Promise<Identity> {
  const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const idToken = tokens.claims();
  if (idToken === undefined) throw new Error('no ID token');
  const written = await loginOf(configuration, loginClaim, idToken, tokens.access_token);
  return { issuer, subject: requireSubject(idToken.sub), login: requireLogin(written, `the claim ${loginClaim}`) };
}

/**
 * Returns the login claim of the ID token, or of the user info if the provider leaves profile claims out of the token.
 */
async function loginOf(
  configuration: Configuration,
  claim: string,
  idToken: IDToken,
  accessToken: string,
): Promise<unknown> {
  const claims = idToken[claim] === undefined ? await fetchUserInfo(configuration, accessToken, idToken.sub) : idToken;
  return claims[claim];
}
