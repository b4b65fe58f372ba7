import { messageOf } from '../../kernel/errors.ts';
import { ProviderRefusal } from '../idp/code-flow.ts';
import { createOidcProvider, type OidcSettings } from '../idp/oidc.ts';
import { fetchBy } from '../outbound/proxied-fetch.ts';
import type { OutboundProxy } from '../outbound/proxy.ts';
import { ask } from './ask.ts';
import { type Finding, ok, problem } from './check.ts';

const OPTION = 'identityProvider.oidc.issuer';
/** A code that providers never issue. */
const NO_CODE = 'homeport-doctor';

/** Error codes with which providers refuse an unknown client, or a wrong secret. */
const CLIENT_REFUSALS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

export async function examineOidc(
  settings: OidcSettings,
  redirectUri: string,
  proxy?: OutboundProxy | undefined,
): Promise<Finding> {
  const { issuer } = settings;
  const answer = await ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {}, proxy);
  if (typeof answer === 'string') return problem(`${issuer}: ${answer}`, `start it, or set ${OPTION} to one that runs`);
  const { issuer: named, authorization_endpoint: endpoint } = answer.body ?? {};
  if (typeof endpoint !== 'string') {
    return problem(
      `${issuer} answers ${answer.status} without OpenID Connect metadata`,
      `set ${OPTION} to an OpenID Connect issuer`,
    );
  }
  if (named !== issuer) return problem(`${issuer} calls itself ${String(named)}`, `set ${OPTION} to just that`);
  return examineClient(settings, redirectUri, proxy);
}

/**
 * Finishes a sign-in with a code that does not exist: a provider that knows the client refuses the code, another one
 * the client.
 */
async function examineClient(
  settings: OidcSettings,
  redirectUri: string,
  proxy: OutboundProxy | undefined,
): Promise<Finding> {
  const { issuer } = settings;
  const error = await refusalOfNoCode(settings, redirectUri, proxy);
  if (error instanceof ProviderRefusal) {
    return CLIENT_REFUSALS.has(error.code)
      ? problem(
          `${issuer} does not take this client id with this secret: ${error.code}`,
          'take both from the client registered there: identityProvider.oidc.clientId and clientSecretFile',
        )
      : ok(`${issuer} offers sign-in, and takes the connector's secret`);
  }
  return problem(`${issuer}: no sign-in can end there: ${messageOf(error)}`, 'look at its log, and at its addresses');
}

async function refusalOfNoCode(
  settings: OidcSettings,
  redirectUri: string,
  proxy: OutboundProxy | undefined,
): Promise<unknown> {
  const provider = createOidcProvider(settings, redirectUri, () => 0, fetchBy(proxy));
  try {
    const { attempt } = await provider.start();
    const callback = new URL(redirectUri);
    callback.search = new URLSearchParams({ code: NO_CODE, state: attempt.state, iss: settings.issuer }).toString();
    await provider.finish(callback, attempt);
    return new Error('it takes a made-up code');
  } catch (error) {
    return error instanceof Error ? (error.cause ?? error) : error;
  }
}
