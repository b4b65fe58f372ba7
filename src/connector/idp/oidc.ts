import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  type IDToken,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { parseLogin } from '../domain/login.ts';
import { ConnectorError } from '../errors.ts';
import type { Identity, IdentityProvider, SignInAttempt } from '../ports/identity-provider.ts';

const REQUEST_DEADLINE_SECONDS = 10;
const SCOPE = 'openid profile';

/** Only on these hosts can nobody else read unencrypted traffic. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

export interface OidcOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Claim that holds the login. */
  loginClaim: string;
  redirectUri: string;
}

/** Sign-in by OpenID Connect; the provider's metadata is fetched when first needed, and again after a failure. */
export function createOidcProvider(options: OidcOptions): IdentityProvider {
  let known: Promise<Configuration> | undefined;
  const configuration = async (): Promise<Configuration> => {
    known ??= discover(options);
    try {
      return await known;
    } catch (error) {
      known = undefined;
      throw unreachable(error);
    }
  };
  return {
    start: async () => startSignIn(await configuration(), options),
    finish: async (callbackUrl, attempt) => finishSignIn(await configuration(), options, callbackUrl, attempt),
  };
}

function discover({ issuer, clientId, clientSecret }: OidcOptions): Promise<Configuration> {
  const url = new URL(issuer);
  const isLoopback = url.protocol === 'http:' && LOOPBACK.has(url.hostname);
  return discovery(url, clientId, clientSecret, undefined, {
    timeout: REQUEST_DEADLINE_SECONDS,
    execute: isLoopback ? [allowInsecureRequests] : [],
  });
}

async function startSignIn(
  configuration: Configuration,
  { redirectUri }: OidcOptions,
): Promise<{ url: string; attempt: SignInAttempt }> {
  const attempt = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: SCOPE,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.codeVerifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, attempt };
}

async function finishSignIn(
  configuration: Configuration,
  options: OidcOptions,
  callbackUrl: URL,
  attempt: SignInAttempt,
): Promise<Identity> {
  try {
    const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
      pkceCodeVerifier: attempt.codeVerifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    });
    const idToken = tokens.claims();
    if (idToken === undefined) throw new Error('no ID token');
    const login = await loginOf(configuration, options.loginClaim, idToken, tokens.access_token);
    return { issuer: options.issuer, subject: idToken.sub, login };
  } catch (error) {
    if (error instanceof ConnectorError) throw error;
    throw new ConnectorError('sign_in_failed', 'the identity provider did not confirm this sign-in: start again', {
      cause: error,
    });
  }
}

/** From the ID token; from the user info where the provider leaves profile claims out of the token. */
async function loginOf(
  configuration: Configuration,
  claim: string,
  idToken: IDToken,
  accessToken: string,
): Promise<string> {
  const claims = idToken[claim] === undefined ? await fetchUserInfo(configuration, accessToken, idToken.sub) : idToken;
  const written = claims[claim];
  const login = typeof written === 'string' ? parseLogin(written) : undefined;
  if (login !== undefined) return login;
  throw new ConnectorError('sign_in_failed', `the identity provider sent no login: it must send the claim ${claim}`);
}

const unreachable = (cause: unknown): ConnectorError =>
  new ConnectorError('identity_provider_unreachable', 'the identity provider does not answer: try again in a minute', {
    cause,
  });
