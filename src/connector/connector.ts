import { createServer } from 'node:http';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import { systemClock } from '../kernel/clock.ts';
import { StartError } from '../kernel/errors.ts';
import { closeServer, listen } from '../kernel/http/listen.ts';
import { Lifecycle } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/log.ts';
import { createInviteRouter } from './admin/invite.ts';
import { createSojuBouncer } from './bouncer/soju-bouncer.ts';
import { databaseChoice, type ReadSecret } from './database-choice.ts';
import { createApp } from './http/app.ts';
import { createOidcProvider } from './idp/oidc.ts';
import { createMcpRouter } from './mcp/endpoint.ts';
import { measuredStore } from './metrics/measured-store.ts';
import { createMetrics } from './metrics/measurements.ts';
import { createMetricsRouter } from './metrics/router.ts';
import { createTokenVerifier } from './oauth/access-tokens.ts';
import { createConsentDesk } from './oauth/consent-desk.ts';
import { createProvider, SESSION_COOKIE } from './oauth/provider.ts';
import { createOauthRouter } from './oauth/router.ts';
import { createPages } from './pages/index.ts';
import { messagePage } from './pages/layout.ts';
import { createRestRouter } from './rest/router.ts';
import { createServices } from './services/index.ts';
import { openDatabase } from './store/database.ts';
import { createStore } from './store/index.ts';
import { createOauthRecords } from './store/oauth-records.ts';
import { createSeal } from './store/seal.ts';
import { loadStateKeys } from './store/state-keys.ts';
import { timeStatements } from './store/statement-times.ts';

/** Requests under way when the program ends may take this long. */
const REQUEST_END_DEADLINE_MS = 5_000;

/** Builds all parts, listens, and takes up the sessions; returns what ends it again. */
export async function startConnector(config: ConnectorConfig, readSecret: ReadSecret, log: Logger): Promise<Lifecycle> {
  const lifecycle = new Lifecycle(log);
  try {
    await compose(config, readSecret, log, lifecycle);
  } catch (error) {
    await lifecycle.close();
    throw error;
  }
  return lifecycle;
}

async function compose(
  config: ConnectorConfig,
  readSecret: ReadSecret,
  log: Logger,
  lifecycle: Lifecycle,
): Promise<void> {
  const { baseUrl, bouncer, settings, ircChannels, stateDirectory } = config;
  const secrets = readSecrets(config, readSecret);
  const clock = systemClock;
  const keys = loadStateKeys(stateDirectory);
  const seal = createSeal(keys.sealKey);
  const opened = await openDatabase(secrets.database, clock);
  lifecycle.add('database', () => opened.close());
  opened.onLost(() => {
    log.error('another process has taken the database: this one ends, so that nothing is said twice');
    lifecycle.endFailed();
  });
  const { database } = opened;

  const metrics = createMetrics(() => services.levels());
  const { measurements } = metrics;
  timeStatements(database, measurements.statementRun);
  const store = measuredStore(createStore(database, seal, clock), measurements);
  const { network } = bouncer.soju;
  const settingsUrl = `${baseUrl}/settings`;
  const services = createServices({
    store,
    bouncer: createSojuBouncer(bouncer.soju),
    seal,
    clock,
    log,
    settings: { ...settings, ircChannels, network, retention: config.retention, settingsUrl },
  });
  lifecycle.add('sessions', () => services.close());

  const provider = createProvider({
    baseUrl,
    cookieKeys: keys.cookieKeys,
    signingKey: keys.signingKey,
    records: createOauthRecords(database, seal, clock),
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
  const pages = createPages({
    baseUrl,
    network,
    services,
    sessions: store.browserSessions,
    identityProvider: createOidcProvider({
      ...config.identityProvider.oidc,
      clientSecret: secrets.identityProvider,
      redirectUri: `${baseUrl}/login/idp/callback`,
    }),
    seal,
    now: () => clock.now(),
    consentDesk: createConsentDesk(provider, baseUrl),
    authorizationCookies: [SESSION_COOKIE, `${SESSION_COOKIE}.sig`],
    log,
  });
  const verifyToken = createTokenVerifier(provider, baseUrl);
  const app = createApp({
    baseUrl,
    log,
    routers: [
      createOauthRouter(provider, baseUrl),
      createRestRouter({ baseUrl, services, verifyToken, log }),
      createMcpRouter({ baseUrl, services, settings: { network, settingsUrl }, measurements, clock, verifyToken, log }),
      createMetricsRouter(metrics.registry, secrets.adminToken),
      createInviteRouter(services, secrets.adminToken),
      pages,
    ],
  });
  const server = createServer(app);
  const port = await listen(server, config.listen, 'listen');
  lifecycle.add('http', () => closeServer(server, REQUEST_END_DEADLINE_MS));
  await services.start();
  log.info({ address: config.listen.address, port, baseUrl }, 'ready');
}

/** All secrets are read before anything is opened, so that a missing one leaves nothing half-started. */
function readSecrets(config: ConnectorConfig, read: ReadSecret) {
  const { legacyClient, oauthRedirectUris, adminTokenFile, identityProvider } = config;
  if (legacyClient !== undefined && oauthRedirectUris.length === 0) {
    throw new StartError('oauthRedirectUris: legacyClient needs at least one redirect URI');
  }
  return {
    database: databaseChoice(config, read),
    identityProvider: read(identityProvider.oidc.clientSecretFile, 'identityProvider.oidc.clientSecretFile'),
    adminToken: adminTokenFile === undefined ? undefined : read(adminTokenFile, 'adminTokenFile'),
    legacyClient:
      legacyClient === undefined
        ? undefined
        : {
            id: legacyClient.id,
            secret: read(legacyClient.secretFile, 'legacyClient.secretFile'),
            redirectUris: oauthRedirectUris,
          },
  };
}
