import type { RequestListener } from 'node:http';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { createInviteRouter } from './admin/invite.ts';
import { createApp } from './http/app.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { createOidcProvider } from './idp/oidc.ts';
import { createMcpRouter } from './mcp/endpoint.ts';
import type { Metrics } from './metrics/measurements.ts';
import { createMetricsRouter } from './metrics/router.ts';
import { createTokenVerifier } from './oauth/access-tokens.ts';
import { createConsentDesk } from './oauth/consent-desk.ts';
import { createProvider, SESSION_COOKIE } from './oauth/provider.ts';
import { createOauthRouter } from './oauth/router.ts';
import { createPages } from './pages/index.ts';
import { messagePage } from './pages/layout.ts';
import type { OauthRecords } from './ports/oauth-records.ts';
import type { Seal } from './ports/seal.ts';
import type { Store } from './ports/store.ts';
import { createRestRouter } from './rest/router.ts';
import type { Secrets } from './secrets.ts';
import type { Services } from './services/index.ts';
import type { SoftSettings } from './soft-settings.ts';
import type { StateKeys } from './store/state-keys.ts';

export interface FrontParts {
  config: ConnectorConfig;
  soft: SoftSettings;
  secrets: Secrets;
  keys: StateKeys;
  seal: Seal;
  store: Store;
  records: OauthRecords;
  services: Services;
  metrics: Metrics;
  clock: Clock;
  log: Logger;
}

/** Everything the connector serves over HTTP. */
export function createFront(parts: FrontParts): RequestListener {
  const { config, soft, secrets, services, metrics, clock, log } = parts;
  const { baseUrl, trustedProxies } = config;
  const { network } = config.bouncer.soju;
  const provider = createAuthorizationServer(parts);
  const verifyToken = createTokenVerifier(provider, baseUrl);
  const rateLimits = createRateLimits({ limits: () => soft.inForce.rateLimits, now: () => clock.now() });
  const shared = { baseUrl, services, verifyToken, limitClient: rateLimits.byClient, log };
  const settings = { network, settingsUrl: `${baseUrl}/settings` };
  return createApp({
    baseUrl,
    log,
    trustedProxies,
    rateLimits,
    routers: [
      createOauthRouter(provider, baseUrl),
      createRestRouter(shared),
      createMcpRouter({ ...shared, settings, measurements: metrics.measurements, clock }),
      createMetricsRouter(metrics.registry, secrets.adminToken),
      createInviteRouter(services, secrets.adminToken),
      createPages({
        baseUrl,
        network,
        services,
        sessions: parts.store.browserSessions,
        identityProvider: createOidcProvider({
          ...config.identityProvider.oidc,
          clientSecret: secrets.identityProvider,
          redirectUri: `${baseUrl}/login/idp/callback`,
        }),
        seal: parts.seal,
        now: () => clock.now(),
        consentDesk: createConsentDesk(provider, baseUrl),
        authorizationCookies: [SESSION_COOKIE, `${SESSION_COOKIE}.sig`],
        log,
      }),
    ],
  });
}

function createAuthorizationServer({ config, secrets, keys, store, records, clock, log }: FrontParts) {
  return createProvider({
    baseUrl: config.baseUrl,
    cookieKeys: keys.cookieKeys,
    signingKey: keys.signingKey,
    records,
    clock,
    log,
    legacyClient: secrets.legacyClient,
    accountExists: async (accountId) => (await store.accounts.find(accountId)) !== undefined,
    errorPage: (message) =>
      messagePage('This request can’t go on', `Start again in the app that sent you here. The reason: ${message}.`, {
        href: '/settings',
        label: 'Go to settings',
      }),
  });
}
