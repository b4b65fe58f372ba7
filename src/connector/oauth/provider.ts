import { type Configuration, errors, type Provider } from 'oidc-provider';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import {
  ACCESS_TOKEN_SECONDS,
  AUTHORIZATION_CODE_SECONDS,
  DECISION_SECONDS,
  DOCUMENT_MAX_BYTES,
  DOCUMENT_MAX_SECONDS,
  DOCUMENT_MIN_SECONDS,
  REFRESH_TOKEN_SECONDS,
} from '../domain/limits.ts';
import { SCOPES } from '../domain/scope.ts';
import type { ConsentStore } from '../ports/consent-store.ts';
import type { OauthRecords } from '../ports/oauth-records.ts';
import { createAdapterFactory } from './adapter.ts';
import type { ClientDocuments } from './client-documents.ts';
import { clientRules, compareRedirectsExactly, fitRegistration, requireShortId } from './client-rules.ts';
import { compareHashedSecrets, withHashedSecret } from './client-secrets.ts';
import { askBeforeErrorRedirects, type WayBack } from './error-redirects.ts';
import { type Departure, leaveByPage } from './leave-by-page.ts';
import { plainReason } from './plain-reasons.ts';
import { resourceVariants } from './policy/resource.ts';
import { Redemptions } from './redemptions.ts';
import { inWordsOfOauth, passOnLater, removedMeanwhile } from './refusal-texts.ts';
import { requestOrigin } from './registrants.ts';
import {
  askEveryTime,
  checkAuthorizationRequest,
  checkTokenRequest,
  ignoreUnknownParameters,
} from './request-rules.ts';

export const OAUTH_PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  interaction: '/oauth/interaction',
} as const;

/**
 * Names of cookies: with these prefixes a browser accepts them only from us. The library's short-lived ones have paths,
 * which `__Host-` forbids.
 */
export const SESSION_COOKIE = '__Host-homeport-oauth';
const COOKIE_NAMES = {
  session: SESSION_COOKIE,
  interaction: '__Secure-homeport-interaction',
  resume: '__Secure-homeport-resume',
};

/** The library's name for the route after the page where a person has decided. */
const AFTER_DECISION = 'resume';

export const LEGACY_CLIENT_NAME = 'Action client';

export interface OauthOptions {
  baseUrl: string;
  /** Keys of cookies: the first one signs. Called at each request, because another one may sign later. */
  cookieKeys(): readonly string[];
  signingKey: Record<string, unknown>;
  records: OauthRecords;
  consents: ConsentStore;
  documents: ClientDocuments;
  /** Whether clients may describe themselves at an address. */
  takesDocuments?: boolean | undefined;
  clock: Clock;
  log: Logger;
  /** The older confidential client, for which PKCE is optional. @spec connector#authentication */
  legacyClient: { id: string; secret: string; redirectUris: string[] } | undefined;
  accountExists(accountId: string): Promise<boolean>;
  /** A whole page for a person whose request can't be answered with a redirect, or only after a question. */
  errorPage(message: string, back?: WayBack): string;
  /** A whole page that leaves for the client by itself. */
  departurePage(departure: Departure): string;
}

/** The authorization server: the library with our rules. */
export function createProvider(given: OauthOptions): Provider {
  const records = inWordsOfOauth(given.records, given.log);
  const consents = inWordsOfOauth(given.consents, given.log);
  const { accountExists } = inWordsOfOauth({ accountExists: given.accountExists }, given.log);
  const documents = inWordsOfOauth(given.documents, given.log);
  const options = { ...given, records, consents, accountExists, documents };
  const { legacyClient } = options;
  const redemptions = new Redemptions(options.records, options.clock);
  const provider = redemptions.provider(options.baseUrl, configurationOf(options, redemptions), checkTokenRequest);
  // The provider may trust the forwarding headers: the front layer writes them from the configured address.
  provider.proxy = true;
  compareRedirectsExactly(provider);
  compareHashedSecrets(provider);
  passOnLater(provider);
  acceptResourceVariants(provider, options.baseUrl);
  Object.defineProperty(provider, 'keys', { get: () => options.cookieKeys() });
  ignoreUnknownParameters(provider, OAUTH_PATHS.authorization);
  askBeforeErrorRedirects(provider, {
    interactionPath: OAUTH_PATHS.interaction,
    isKnown: async (clientId) => clientId === legacyClient?.id || consents.isAllowed(clientId),
    errorPage: options.errorPage,
  });
  leaveByPage(provider, options.departurePage);
  provider.on('server_error', (_ctx, error) => options.log.error({ err: error }, 'authorization server'));
  return provider;
}

function configurationOf(options: OauthOptions, redemptions: Redemptions): Configuration {
  const { legacyClient, documents } = options;
  return {
    adapter: createAdapterFactory({ ...options, redemptions }),
    // A client that redeems a code must name the redirect URI, even if it registered only one. @see RFC 6749 §4.1.3
    allowOmittingSingleRegisteredRedirectUri: false,
    clients: legacyClient === undefined ? [] : [withHashedSecret(legacyMetadata(legacyClient))],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: () => false,
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    cookies: { keys: [...options.cookieKeys()], names: COOKIE_NAMES },
    // The provider fetches only documents of clients.
    fetch: (address) => documents.fetch(String(address), requestOrigin()),
    fetchResponseBodyLimits: { 'client_id metadata document': DOCUMENT_MAX_BYTES },
    jwks: { keys: [options.signingKey] },
    responseTypes: ['code'],
    scopes: [...SCOPES],
    routes: {
      authorization: OAUTH_PATHS.authorization,
      token: OAUTH_PATHS.token,
      registration: OAUTH_PATHS.registration,
      revocation: OAUTH_PATHS.revocation,
    },
    features: featuresOf(options),
    pkce: { required: (_ctx, client) => client.clientId !== legacyClient?.id },
    extraParams: { scope: checkAuthorizationRequest },
    extraClientMetadata: clientRules(legacyClient?.id),
    findAccount: async (ctx, accountId) => {
      if (await options.accountExists(accountId)) return { accountId, claims: () => ({ sub: accountId }) };
      // Without an account the library can't show its person any page.
      if (ctx.oidc.route === AFTER_DECISION) throw removedMeanwhile();
      return undefined;
    },
    // A person decides every time: an earlier consent does not prove who is asking now.
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      if (grantId === undefined) return undefined;
      const grant = await ctx.oidc.provider.Grant.find(grantId);
      if (grant === undefined) throw new errors.AccessDenied('the person has ended this access');
      return grant;
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
      ctx.body = options.errorPage(plainReason(description ?? error));
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: AUTHORIZATION_CODE_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      // The library requires a number, but the consent decides.
      Grant: REFRESH_TOKEN_SECONDS,
      Interaction: DECISION_SECONDS,
      Session: DECISION_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
    },
  };
}

function featuresOf({
  baseUrl,
  documents,
  takesDocuments = true,
}: OauthOptions): NonNullable<Configuration['features']> {
  const variants = new Set(resourceVariants(baseUrl));
  return {
    clientIdMetadataDocument: {
      enabled: takesDocuments,
      ack: 'draft-02',
      allowFetch: (_ctx, clientId) => {
        requireShortId(clientId);
        return documents.mayAsk(clientId, requestOrigin());
      },
      cacheDuration: { min: DOCUMENT_MIN_SECONDS, max: DOCUMENT_MAX_SECONDS },
    },
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    registration: { enabled: true, issueRegistrationAccessToken: false, idFactory: fitRegistration },
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

/** A client may spell our resource in one way in the authorization request and in another in the token request. */
function acceptResourceVariants(provider: Provider, baseUrl: string): void {
  const variants = new Set<string | undefined>(resourceVariants(baseUrl));
  for (const { prototype } of [provider.AuthorizationCode, provider.RefreshToken]) {
    Object.defineProperty(prototype, 'resourceIndicators', { get: () => variants });
  }
}
