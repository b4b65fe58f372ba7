import {
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  type Provider,
  type TokenEndpointGrantContext,
} from 'oidc-provider';
import { DEFAULT_SCOPE, isScope } from '../domain/scope.ts';

/**
 * The scope with which clients ask for refresh tokens; every client gets them anyway.
 * @see OpenID Connect Core 1.0 §11
 */
const OFFLINE = 'offline_access';

/**
 * Parameters of an authorization request that have a meaning here. The last three, of OpenID Connect, change the
 * meaning of a request, so the library answers that they are not supported.
 */
const KNOWN_PARAMETERS: ReadonlySet<string> = new Set([
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'redirect_uri',
  'resource',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'registration',
  'request',
  'request_uri',
]);

/** The one value of `prompt` that excludes a person's decision. @see OpenID Connect Core 1.0 §3.1.2.1 */
const NO_PROMPT = 'none';

/**
 * Takes parameters out of authorization requests that a server must ignore when it does not know them. The library
 * knows those of OpenID Connect, and refuses requests that contain one without being OpenID Connect.
 * @see RFC 6749 §3.1
 */
export function ignoreUnknownParameters(provider: Provider, authorizationPath: string): void {
  provider.use(async (ctx, next) => {
    if (ctx.path === authorizationPath) {
      const known = Object.entries(ctx.query).filter(([name, value]) => isMeant(name, value));
      ctx.query = Object.fromEntries(known);
    }
    await next();
  });
}

const isMeant = (name: string, value: unknown): boolean =>
  KNOWN_PARAMETERS.has(name) && (name !== 'prompt' || String(value).split(' ').includes(NO_PROMPT));

/** Sends every request to the consent page: only our own session knows who is signed in. */
export function askEveryTime(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  const check = new interactionPolicy.Check(
    'decision',
    'a person decides',
    (ctx) => ctx.oidc.result?.login === undefined,
  );
  policy.get('login')?.checks.add(check);
  return policy;
}

/**
 * Fills in the default scope and drops scopes of other services; refuses values that the library would drop silently.
 */
export async function checkAuthorizationRequest(ctx: KoaContextWithOIDC, scope: string | undefined): Promise<void> {
  const { params } = ctx.oidc;
  if (params === undefined) return;
  if (params['response_mode'] !== undefined && params['response_mode'] !== 'query') {
    params['response_mode'] = undefined;
    throw new errors.UnsupportedResponseMode();
  }
  const names = namesIn(scope);
  const known = names.filter(isScope);
  params['scope'] = known.length > 0 ? known.join(' ') : DEFAULT_SCOPE;
  const [unknown] = names;
  // The default scope would be a guess for a client that asks only for unknown scopes.
  if (known.length === 0 && unknown !== undefined) {
    throw new errors.InvalidScope('requested scope is not supported', unknown);
  }
}

const namesIn = (scope: string | undefined): string[] =>
  (scope ?? '').split(' ').filter((name) => name !== '' && name !== OFFLINE);

/** Checks a request to the token endpoint before the library does. */
export function checkTokenRequest(ctx: TokenEndpointGrantContext<object>): void {
  checkVerifier(ctx);
  dropUnknownScopes(ctx);
}

/** Drops unknown scopes at a refresh, where a client repeats the scopes that it asked for at first. */
function dropUnknownScopes({ oidc: { params } }: TokenEndpointGrantContext<object>): void {
  const scope: unknown = params?.['scope'];
  if (params === undefined || typeof scope !== 'string') return;
  const names = namesIn(scope);
  const known = names.filter(isScope);
  if (known.length > 0) params['scope'] = known.join(' ');
  else if (names.length === 0) params['scope'] = undefined;
}

/** Characters and length of a code verifier. @see RFC 7636 §4.1 */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Refuses a malformed verifier as a wrong one; the library would report another kind of mistake. */
function checkVerifier({ oidc }: TokenEndpointGrantContext<object>): void {
  const verifier: unknown = oidc.params?.['code_verifier'];
  if (typeof verifier === 'string' && !VERIFIER.test(verifier)) throw new errors.InvalidGrant('not a code verifier');
}
