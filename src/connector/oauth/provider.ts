import {
  type Client,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  type Provider,
} from 'oidc-provider';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import {
  ACCESS_TOKEN_SECONDS,
  AUTHORIZATION_CODE_SECONDS,
  DECISION_SECONDS,
  REFRESH_TOKEN_SECONDS,
} from '../domain/limits.ts';
import { DEFAULT_SCOPE, isScope, SCOPES } from '../domain/scope.ts';
import type { ConsentStore } from '../ports/consents.ts';
import type { OauthRecords } from '../ports/oauth-records.ts';
import { createAdapterFactory } from './adapter.ts';
import { dropUnused, registrationProblem } from './policy/client-metadata.ts';
import { resourceVariants } from './policy/resource.ts';
import { Redemptions } from './redemptions.ts';

export const OAUTH_PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  interaction: '/oauth/interaction',
} as const;

/** With these prefixes a browser accepts the cookies only from us. The library's short-lived ones have paths, which `__Host-` forbids. */
export const SESSION_COOKIE = '__Host-homeport-oauth';
const COOKIE_NAMES = {
  session: SESSION_COOKIE,
  interaction: '__Secure-homeport-interaction',
  resume: '__Secure-homeport-resume',
};

export const LEGACY_CLIENT_NAME = 'Action client';

export interface OauthOptions {
  baseUrl: string;
  cookieKeys: string[];
  signingKey: Record<string, unknown>;
  records: OauthRecords;
  consents: ConsentStore;
  clock: Clock;
  log: Logger;
  /** The older confidential client, for which PKCE is optional. @spec connector#authentication */
  legacyClient: { id: string; secret: string; redirectUris: string[] } | undefined;
  accountExists(accountId: string): Promise<boolean>;
  /** A whole page for a person whose request can't be answered with a redirect. */
  errorPage(message: string): string;
}

/** The authorization server: the library with our rules. */
export function createProvider(options: OauthOptions): Provider {
  const redemptions = new Redemptions(options.records);
  const provider = redemptions.provider(options.baseUrl, configurationOf(options, redemptions));
  // It may trust the forwarding headers: the front layer writes them from the configured address.
  provider.proxy = true;
  compareRedirectsExactly(provider);
  acceptResourceVariants(provider, options.baseUrl);
  provider.on('server_error', (_ctx, error) => options.log.error({ err: error }, 'authorization server'));
  return provider;
}

function configurationOf(options: OauthOptions, redemptions: Redemptions): Configuration {
  const { baseUrl, legacyClient } = options;
  return {
    adapter: createAdapterFactory({ ...options, redemptions }),
    // Whoever redeems a code must name where it was sent to, also when there is only one address. @see RFC 6749 §4.1.3
    allowOmittingSingleRegisteredRedirectUri: false,
    clients: legacyClient === undefined ? [] : [legacyMetadata(legacyClient)],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: () => false,
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    cookies: { keys: options.cookieKeys, names: COOKIE_NAMES },
    jwks: { keys: [options.signingKey] },
    responseTypes: ['code'],
    scopes: [...SCOPES],
    routes: {
      authorization: OAUTH_PATHS.authorization,
      token: OAUTH_PATHS.token,
      registration: OAUTH_PATHS.registration,
      revocation: OAUTH_PATHS.revocation,
    },
    features: featuresOf(baseUrl),
    pkce: { required: (_ctx, client) => client.clientId !== legacyClient?.id },
    extraParams: { scope: checkAuthorizationRequest },
    extraClientMetadata: {
      properties: ['homeport_policy'],
      validator: checkClient,
    },
    findAccount: async (_ctx, accountId) =>
      (await options.accountExists(accountId)) ? { accountId, claims: () => ({ sub: accountId }) } : undefined,
    // A person decides every time: an earlier consent does not show who asks now.
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
    },
    interactions: {
      policy: askEveryTime(),
      url: (_ctx, interaction) => `${OAUTH_PATHS.interaction}/${interaction.uid}`,
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = 'html';
      ctx.body = options.errorPage(`${description ?? error}`);
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: AUTHORIZATION_CODE_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      // The library wants a number; the consent decides.
      Grant: REFRESH_TOKEN_SECONDS,
      Interaction: DECISION_SECONDS,
      Session: DECISION_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
    },
  };
}

function featuresOf(baseUrl: string): NonNullable<Configuration['features']> {
  const variants = new Set(resourceVariants(baseUrl));
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => baseUrl,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => {
        if (!variants.has(resource)) throw new errors.InvalidTarget();
        return {
          scope: SCOPES.join(' '),
          audience: baseUrl,
          accessTokenFormat: 'opaque',
          accessTokenTTL: ACCESS_TOKEN_SECONDS,
        };
      },
    },
    revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => client.clientId === token.clientId },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
  };
}

const legacyMetadata = ({ id, secret, redirectUris }: NonNullable<OauthOptions['legacyClient']>) => ({
  client_id: id,
  client_secret: secret,
  client_name: LEGACY_CLIENT_NAME,
  redirect_uris: redirectUris,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code' as const],
  // With either method the library accepts the secret in the body and in the header.
  token_endpoint_auth_method: 'client_secret_post' as const,
});

/** Called when a client registers, and without a context whenever one is loaded: what it registered earlier stays good. */
function checkClient(
  ctx: KoaContextWithOIDC | undefined,
  _member: string,
  _value: unknown,
  metadata: Record<string, unknown>,
): void {
  const problem = ctx === undefined ? undefined : registrationProblem(ctx.oidc.body ?? {});
  if (problem !== undefined) throw new errors.InvalidClientMetadata(problem);
  dropUnused(metadata);
}

/** Sends every request to the consent page: only our own session knows who is signed in. */
function askEveryTime(): interactionPolicy.DefaultPolicy {
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
async function checkAuthorizationRequest(ctx: KoaContextWithOIDC, scope: string | undefined): Promise<void> {
  const { params } = ctx.oidc;
  if (params === undefined) return;
  if (params['response_mode'] !== undefined && params['response_mode'] !== 'query') {
    params['response_mode'] = undefined;
    throw new errors.UnsupportedResponseMode();
  }
  if (scope === undefined) {
    params['scope'] = DEFAULT_SCOPE;
    return;
  }
  const unknown = scope.split(' ').find((name) => !isScope(name));
  if (unknown !== undefined) throw new errors.InvalidScope('requested scope is not supported', unknown);
}

/** The library lets native clients vary a loopback port; ours are compared as registered. @spec connector#authentication */
function compareRedirectsExactly(provider: Provider): void {
  provider.Client.prototype.redirectUriAllowed = function allowed(this: Client, uri: string): boolean {
    return this.redirectUris?.includes(uri) === true;
  };
}

/** A client may spell our resource in one way in the authorization request and in another in the token request. */
function acceptResourceVariants(provider: Provider, baseUrl: string): void {
  const variants = new Set<string | undefined>(resourceVariants(baseUrl));
  for (const { prototype } of [provider.AuthorizationCode, provider.RefreshToken]) {
    Object.defineProperty(prototype, 'resourceIndicators', { get: () => variants });
  }
}
