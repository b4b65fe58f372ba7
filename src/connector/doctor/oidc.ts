import { messageOf } from '../../kernel/errors.ts';
import { ProviderRefusal } from '../idp/code-flow.ts';
import { createOidcProvider, type OidcSettings } from '../idp/oidc.ts';
import { fetchBy } from '../outbound/proxied-fetch.ts';
import type { OutboundProxy } from '../outbound/proxy.ts';
import { ask } from './ask.ts';
import { type Finding, ill, well } from './check.ts';

const OPTION = 'identityProvider.oidc.issuer';
/** No provider gives such a code. */
const NO_CODE = 'homeport-doctor';

/** How providers refuse a client that they don't know, or whose secret is another one. */
const CLIENT_REFUSALS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

export async function examineOidc(
  settings: OidcSettings,
  redirectUri: string,
  proxy?: OutboundProxy | undefined,
): Promise<Finding> {
  const { issuer } = settings;
  const answer = await ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {}, proxy);
  if (typeof answer === 'string') return ill(`${issuer}: ${answer}`, `start it, or set ${OPTION} to one that runs`);
  const { issuer: named, authorization_endpoint: endpoint } = answer.body ?? {};
  if (typeof endpoint !== 'string') {
    return ill(
      `${issuer} answers ${answer.status} without OpenID Connect metadata`,
      `set ${OPTION} to an OpenID Connect issuer`,
    );
  }
  if (named !== issuer) return ill(`${issuer} calls itself ${String(named)}`, `set ${OPTION} to just that`);
  return examineClient(settings, redirectUri, proxy);
}

/** Comes back with a code that does not exist: a provider that knows the client refuses the code, another one the client. */
async function examineClient(
  settings: OidcSettings,
  redirectUri: string,
  proxy: OutboundProxy | undefined,
): Promise<Finding> {
  const { issuer } = settings;
  const error = await refusalOfNoCode(settings, redirectUri, proxy);
  if (error instanceof ProviderRefusal) {
    return CLIENT_REFUSALS.has(error.code)
      ? ill(
          `${issuer} does not take this client id with this secret: ${error.code}`,
          'take both from the client registered there: identityProvider.oidc.clientId and clientSecretFile',
        )
      : well(`${issuer} offers sign-in, and takes the connector's secret`);
  }
  return ill(`${issuer}: no sign-in can end there: ${messageOf(error)}`, 'look at its log, and at its addresses');
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
