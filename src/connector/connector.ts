import { createServer, type RequestListener } from 'node:http';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import { systemClock } from '../kernel/clock.ts';
import { closeServer, type ListenerParts, type ListenOptions, listen } from '../kernel/http/listen.ts';
import { Lifecycle } from '../kernel/lifecycle.ts';
import { type Logger, logWritten } from '../kernel/log.ts';
import { createSojuBouncer } from './bouncer/soju-bouncer.ts';
import type { ReadSecret } from './database-choice.ts';
import { createFront } from './front.ts';
import { measuredStore } from './metrics/measured-store.ts';
import { createMetrics } from './metrics/measurements.ts';
import { createMetricsApp } from './metrics/router.ts';
import { adoptConsents } from './oauth/adopt-consents.ts';
import { Presences } from './presence/presences.ts';
import { readSecrets } from './secrets.ts';
import { createServices } from './services/index.ts';
import { type SoftSettings, serviceSettings } from './soft-settings.ts';
import { giveBackSpareMemory } from './spare-memory.ts';
import { openDatabase } from './store/database.ts';
import { createStore } from './store/index.ts';
import { createInvalidations } from './store/invalidations.ts';
import { createOauthStore } from './store/oauth-store.ts';
import { createSeal } from './store/seal.ts';
import { loadStateKeys } from './store/state-keys.ts';
import { timeStatements } from './store/statement-times.ts';
import { startExpiry } from './upkeep/expiry.ts';
import { Indexing } from './upkeep/indexing.ts';
import { startRetention } from './upkeep/retention.ts';

/** Requests under way when the program ends may take this long. */
const REQUEST_END_DEADLINE_MS = 5_000;
/** The part that writes to the bouncer. */
const SESSIONS = 'sessions';

export interface StartOptions {
  config: ConnectorConfig;
  /** The options that a reload may change. */
  soft: SoftSettings;
  readSecret: ReadSecret;
  log: Logger;
}

/** Builds all parts, listens, and resumes the accounts' sessions. The result ends all of it. @throws StartError */
export async function startConnector(options: StartOptions): Promise<Lifecycle> {
  const lifecycle = new Lifecycle(options.log);
  lifecycle.add('log', () => logWritten(options.log));
  try {
    await compose(options, lifecycle);
  } catch (error) {
    await lifecycle.close();
    throw error;
  }
  return lifecycle;
}

async function compose({ config, soft, readSecret, log }: StartOptions, lifecycle: Lifecycle): Promise<void> {
  const secrets = readSecrets(config, readSecret);
  const clock = systemClock;
  const keys = secrets.keys ?? loadStateKeys(config.stateDirectory);
  const seal = createSeal(keys.sealKey);
  const opened = await openDatabase(secrets.database, clock);
  lifecycle.add('database', () => opened.close());
  opened.onLost(() => {
    log.error('another process has taken the database: this one ends, so that nothing is sent twice');
    // Requests under way may take seconds, in which the sessions would go on writing.
    lifecycle.endFailed(SESSIONS);
  });
  const { database, readers } = opened;

  const metrics = createMetrics(() => ({ ...presences.levels(), unindexedEntries: indexing.backlog }));
  const { measurements } = metrics;
  for (const timed of new Set([database, readers])) timeStatements(timed, measurements.statementRun);
  const invalidations = createInvalidations();
  const measured = measuredStore(createStore(opened, seal, clock, invalidations), measurements);
  const indexing = new Indexing({ store: measured, log });
  const store = indexing.counting(measured);
  const settings = serviceSettings(config, soft);
  const bouncer = createSojuBouncer(config.bouncer.soju);
  const presences = new Presences({ store, bouncer, clock, log, settings });
  lifecycle.add(SESSIONS, () => presences.close());
  const services = createServices({ store, bouncer, presence: presences, seal, clock, log, settings });

  await presences.forgetEarlier();
  await services.prepare();

  const oauth = createOauthStore(database, seal, clock, invalidations);
  await adoptConsents({ ...oauth, legacyClient: secrets.legacyClient, log });
  const front = createFront({ config, soft, secrets, keys, seal, store, oauth, services, metrics, clock, log });
  if (config.metricsListen !== undefined) {
    await serve(
      createMetricsApp(metrics.registry, log),
      config.metricsListen,
      { option: 'metricsListen', log },
      lifecycle,
    );
  }
  const port = await serve(front, config.listen, { option: 'listen', log }, lifecycle);
  lifecycle.add('memory', giveBackSpareMemory());
  await presences.resumeAll();
  const upkeep = [
    indexing.start(),
    startRetention({ store, clock, log, keep: () => settings.retention }),
    startExpiry({
      log,
      expiring: [
        { what: 'records of the authorization server', removeEnded: oauth.records.removeEnded },
        { what: 'consents', removeEnded: oauth.consents.removeEnded },
        { what: 'agent sessions', removeEnded: store.agentSessions.removeEnded },
        { what: 'browser sessions', removeEnded: store.browserSessions.removeEnded },
      ],
    }),
  ];
  lifecycle.add('upkeep', async () => {
    await Promise.all(upkeep.map((each) => each.close()));
  });
  log.info({ address: config.listen.address, port, baseUrl: config.baseUrl }, 'ready');
}

async function serve(
  handler: RequestListener,
  where: ListenOptions,
  parts: ListenerParts,
  lifecycle: Lifecycle,
): Promise<number> {
  const server = createServer(handler);
  const port = await listen(server, where, parts);
  lifecycle.add(parts.option, () => closeServer(server, REQUEST_END_DEADLINE_MS));
  return port;
}
