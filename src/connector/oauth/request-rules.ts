import { errors, interactionPolicy, type KoaContextWithOIDC, type TokenEndpointGrantContext } from 'oidc-provider';
import { DEFAULT_SCOPE, isScope } from '../domain/scope.ts';

/** By this name clients ask for refresh tokens, which all of them get. @see OpenID Connect Core 1.0 §11 */
const OFFLINE = 'offline_access';

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

/** Fills in the default scope; refuses what the library would drop silently. */
export async function checkAuthorizationRequest(ctx: KoaContextWithOIDC, scope: string | undefined): Promise<void> {
  const { params } = ctx.oidc;
  if (params === undefined) return;
  if (params['response_mode'] !== undefined && params['response_mode'] !== 'query') {
    params['response_mode'] = undefined;
    throw new errors.UnsupportedResponseMode();
  }
  const names = (scope ?? '').split(' ').filter((name) => name !== '' && name !== OFFLINE);
  params['scope'] = names.length === 0 ? DEFAULT_SCOPE : names.join(' ');
  const unknown = names.find((name) => !isScope(name));
  if (unknown !== undefined) throw new errors.InvalidScope('requested scope is not supported', unknown);
}

/** What a verifier is made of. @see RFC 7636 §4.1 */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** A verifier that can't be one is a wrong one; the library would take it for a mistake of another kind. */
export function checkVerifier({ oidc }: TokenEndpointGrantContext<object>): void {
  const verifier: unknown = oidc.params?.['code_verifier'];
  if (typeof verifier === 'string' && !VERIFIER.test(verifier)) throw new errors.InvalidGrant('not a code verifier');
}
