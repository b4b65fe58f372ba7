import type { RequestListener } from 'node:http';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { Clock } from '../kernel/clock.ts';
import { secretMatcher } from '../kernel/http/bearer.ts';
import type { Logger } from '../kernel/log.ts';
import type { CallLog } from './admin/call-log.ts';
import { eventsRoute } from './admin/events-route.ts';
import { inviteRoute } from './admin/invite-route.ts';
import { BrowserSessions } from './browser/sessions.ts';
import { SignInCookies } from './browser/sign-in-cookies.ts';
import { isPersonalToken } from './domain/personal-token.ts';
import type { Processes } from './domain/share.ts';
import type { VerifyToken } from './domain/verified-token.ts';
import { createApp } from './http/app.ts';
import type { Unready } from './http/health.ts';
import { createLimits } from './http/request-limits.ts';
import { finishOnce } from './idp/finish-once.ts';
import { createIdentityProvider } from './idp/index.ts';
import { mcpRoute } from './mcp/endpoint.ts';
import { methods } from './mcp/methods/index.ts';
import { createSignposts } from './mcp/signposts.ts';
import type { Metrics } from './metrics/connector-metrics.ts';
import { metricsRoute } from './metrics/metrics-app.ts';
import { createTokenVerifier } from './oauth/access-tokens.ts';
import type { ClientDocuments } from './oauth/client-documents.ts';
import { createOauthRouter } from './oauth/oauth-router.ts';
import { createProvider, OAUTH_PATHS, SESSION_COOKIE } from './oauth/provider.ts';
import { createConsentDesk } from './oauth/stored-consents.ts';
import { fetchBy } from './outbound/proxied-fetch.ts';
import { departurePage } from './pages/departure-page.ts';
import { createPages } from './pages/index.ts';
import { messagePage } from './pages/layout.ts';
import { refusalPage } from './pages/refusal-page.ts';
import type { Keys } from './ports/keys.ts';
import type { Seal } from './ports/seal.ts';
import type { Store } from './ports/store.ts';
import { createDescriptionRouter, restRoutes } from './rest/router.ts';
import type { Secrets } from './secrets.ts';
import type { Services } from './services/index.ts';
import type { SoftSettings } from './soft-settings.ts';
import type { OauthStore } from './store/oauth-store.ts';

/** Paths that a client may have opened in a window of its own, which it watches. */
const OPENER_PATHS = [OAUTH_PATHS.authorization, OAUTH_PATHS.interaction, '/login'];

const CAN_T_GO_ON = 'This request can’t go on';
const TO_SETTINGS = { href: '/settings', label: 'Go to settings' };

export interface FrontParts {
  config: ConnectorConfig;
  soft: SoftSettings;
  /** Processes that serve requests on the same database. */
  processes: Processes;
  secrets: Secrets;
  keys: Keys;
  /** Keys of cookies: the first one signs. */
  cookieKeys(): readonly string[];
  seal: Seal;
  store: Store;
  oauth: OauthStore & { documents: ClientDocuments };
  services: Services;
  metrics: Metrics;
  clock: Clock;
  log: Logger;
  /** Records the calls of clients; undefined if owners may not see them. */
  calls: CallLog | undefined;
  /** Why the program should get no requests now; undefined while it serves. */
  unready(): Unready | undefined;
}

/** Builds all that the connector serves over HTTP. */
export function createFront(parts: FrontParts): RequestListener {
  const { config, soft, secrets, services, metrics, clock, log, calls } = parts;
  const { baseUrl, trustedProxies } = config;
  const provider = createAuthorizationServer(parts);
  const sessions = new BrowserSessions({
    store: parts.store.browserSessions,
    alsoForget: [SESSION_COOKIE, `${SESSION_COOKIE}.sig`],
  });
  const limits = createLimits({
    limits: () => soft.inForce.rateLimits,
    now: () => clock.now(),
    processes: parts.processes,
  });
  const settings = { settingsUrl: `${baseUrl}/settings` };
  return createApp({
    baseUrl,
    log,
    trustedProxies,
    settingsUrl: settings.settingsUrl,
    limits,
    verifyToken: alsoPersonal(createTokenVerifier(provider, baseUrl), services),
    // Without an admin token in the configuration, every presented one is refused.
    isAdminToken: secrets.adminToken === undefined ? () => false : secretMatcher(secrets.adminToken),
    openerPaths: OPENER_PATHS,
    renderPage: refusalPage,
    unready: parts.unready,
    guarded: [
      ...restRoutes(services),
      mcpRoute({
        baseUrl,
        corsOrigins: () => soft.inForce.corsOrigins,
        services,
        methods,
        settings,
        measurements: metrics.measurements,
        records: calls,
        clock,
        log,
      }),
      metricsRoute(metrics.registry),
      inviteRoute(services),
      ...(calls === undefined
        ? []
        : [eventsRoute({ services, calls, signedIn: async (req) => (await sessions.current(req))?.accountId })]),
    ],
    open: [
      createOauthRouter(provider, baseUrl, (req) => limits.countRegistration(req), config.oauth.clientDocuments),
      createDescriptionRouter(baseUrl),
      createSignposts(baseUrl),
      createPages({
        baseUrl,
        get ircChannels() {
          return soft.decided?.ircChannels ?? config.ircChannels;
        },
        retention: () => soft.inForce.retention,
        adminEvents: config.adminEvents.enable,
        services,
        sessions,
        identityProvider: finishOnce(
          createIdentityProvider(
            secrets.identityProvider,
            `${baseUrl}/login/idp/callback`,
            () => clock.monotonic(),
            fetchBy(secrets.proxy),
          ),
        ),
        signInCookies: new SignInCookies({ seal: parts.seal, now: () => clock.now() }),
        consentDesk: createConsentDesk({ provider, baseUrl, clock, ...parts.oauth }),
      }),
    ],
  });
}

/** Verifies personal tokens, too. They have a form of their own, so that each token is looked up in one place. */
const alsoPersonal =
  (verify: VerifyToken, services: Pick<Services, 'verifyPersonalToken'>): VerifyToken =>
  async (token) =>
    isPersonalToken(token) ? services.verifyPersonalToken(token) : verify(token);

function createAuthorizationServer({ config, secrets, keys, cookieKeys, store, oauth, clock, log }: FrontParts) {
  return createProvider({
    baseUrl: config.baseUrl,
    cookieKeys,
    signingKey: keys.signingKey,
    ...oauth,
    takesDocuments: config.oauth.clientDocuments,
    clock,
    log,
    legacyClient: secrets.legacyClient,
    accountExists: async (accountId) => (await store.accounts.find(accountId)) !== undefined,
    departurePage,
    errorPage: (message, back) =>
      back === undefined
        ? messagePage(CAN_T_GO_ON, `Start again in the app that sent you here. The reason: ${message}.`, TO_SETTINGS)
        : messagePage(
            CAN_T_GO_ON,
            `The reason: ${message}. Nobody here has allowed the app that sent you anything yet: go back only if you have just come from there.`,
            back,
          ),
  });
}
