import {
  AuthorizationResponseError,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { parseLogin } from '../domain/login-name.ts';
import { ConnectorError } from '../errors.ts';
import type { SignInAttempt } from '../ports/identity-provider.ts';

/** Deadline of each request to an identity provider; a person waits for it. */
export const REQUEST_DEADLINE_SECONDS = 10;

/** Sends requests to the provider: directly, or through a proxy. */
export type ProviderFetch = (url: string, init?: RequestInit) => Promise<Response>;

const SERVER_ERROR_STATUS = 500;

/** Hosts on which unencrypted traffic can't be read by others. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

export const isPlainLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && LOOPBACK.has(hostname);

/** Creates the secrets of a sign-in, and the address that the person is sent to with them. */
export async function leaveFor(
  configuration: Configuration,
  parameters: Readonly<Record<string, string>>,
  { sendsNonce }: { sendsNonce: boolean },
): Promise<{ url: string; attempt: SignInAttempt }> {
  const attempt = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
  const url = buildAuthorizationUrl(configuration, {
    ...parameters,
    state: attempt.state,
    ...(sendsNonce ? { nonce: attempt.nonce } : {}),
    code_challenge: await calculatePKCECodeChallenge(attempt.codeVerifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, attempt };
}

/**
 * Returns the login exactly as the provider writes it: with blanks around it, it would be another person's than
 * without.
 * @param source the place of the login in the provider's answers, for the message to its administrator
 */
export function requireLogin(written: unknown, source: string): string {
  const login = typeof written === 'string' ? parseLogin(written) : undefined;
  if (login !== undefined && login === written) return login;
  throw new ConnectorError(
    'sign_in_failed',
    `the identity provider sent no login that can be used: it must send ${source}, without blanks around it and without invisible characters`,
  );
}

/**
 * Longest subject: the standard says "255 ASCII characters", and a longer one would not fit into an index of
 * PostgreSQL.
 * @see OpenID Connect Core 1.0 §2
 */
export const SUBJECT_MAX_BYTES = 255;

/** Returns the provider's id of a person. @throws ConnectorError for one that is longer than the standard allows */
export function requireSubject(subject: string): string {
  const bytes = Buffer.byteLength(subject);
  if (bytes <= SUBJECT_MAX_BYTES) return subject;
  throw new ConnectorError(
    'sign_in_failed',
    `the identity provider sent a "sub" of ${bytes} bytes: it must send one of at most ${SUBJECT_MAX_BYTES}`,
  );
}

/** An OAuth error code of the provider. @see RFC 6749 §4.1.2.1, §5.2 */
export class ProviderRefusal extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`the identity provider answered ${code}`);
    this.code = code;
  }
}

/** Why a sign-in failed: the provider is unreachable, the person cancelled, or its answer is invalid. */
export function signInFailure(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  if (isUnreachable(error)) return unreachable(error);
  const refused = refusalOf(error);
  if (refused === 'access_denied') {
    return new ConnectorError('sign_in_failed', 'the sign-in was cancelled at the identity provider: start again');
  }
  return new ConnectorError('sign_in_failed', 'the identity provider did not confirm this sign-in: start again', {
    cause: refused === undefined ? error : new ProviderRefusal(refused),
  });
}

export const unreachable = (cause: unknown): ConnectorError =>
  new ConnectorError('identity_provider_unreachable', 'the identity provider does not answer: try again in a minute', {
    cause,
  });

/**
 * Whether the failure suggests stale metadata (endpoints or client authentication changed). An OAuth error response is
 * never such a failure.
 */
export const looksMoved = (error: unknown): boolean =>
  !(error instanceof ConnectorError) &&
  !(error instanceof AuthorizationResponseError) &&
  !(error instanceof ResponseBodyError);

/** The error code of the provider. Text of another form is left out of the log: it may come through the browser. */
function refusalOf(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  return /^[\w.-]{1,64}$/.test(code) ? code : 'an error without a code';
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) return error.error;
  if (!(error instanceof WWWAuthenticateChallengeError)) return undefined;
  const code = error.cause.map(({ parameters }) => parameters.error).find((each) => each !== undefined);
  // A WWW-Authenticate challenge means that the client's credentials were refused.
  return code ?? 'invalid_client';
}

function isUnreachable(error: unknown): boolean {
  // `fetch` throws this when there is no connection, or it breaks.
  if (error instanceof TypeError && error.cause !== undefined && !('code' in error)) return true;
  if (!(error instanceof ClientError)) return false;
  if (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT') return true;
  return error.cause instanceof Response && error.cause.status >= SERVER_ERROR_STATUS;
}
