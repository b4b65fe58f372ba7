import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { HeldSignals } from '../kernel/held-signals.ts';
import { Lifecycle } from '../kernel/lifecycle.ts';
import { type Logger, logWritten } from '../kernel/log.ts';
import { permitOf } from './bouncer/permit-of.ts';
import { createSojuBouncer } from './bouncer/soju-bouncer.ts';
import type { Environment, ReadSecret } from './database-choice.ts';
import { Door } from './door.ts';
import { DOCUMENT_DEADLINE_MS, documentFetcher } from './fetch-document.ts';
import { createFront } from './front.ts';
import { HandOver } from './hand-over.ts';
import { MetricsListener } from './metrics/listener.ts';
import { measuredCallbacks } from './metrics/measured-callbacks.ts';
import { measuredStore } from './metrics/measured-store.ts';
import { createMetrics, createStandbyMetrics } from './metrics/measurements.ts';
import { addSharingLevels } from './metrics/sharing-levels.ts';
import { adoptConsents } from './oauth/adopt-consents.ts';
import { ClientDocuments, type ClientDocumentsParts } from './oauth/client-documents.ts';
import { openInstallation } from './open-installation.ts';
import { createOutbound } from './outbound/outbound.ts';
import type { OutboundProxy } from './outbound/proxy.ts';
import type { Callbacks } from './ports/callbacks.ts';
import type { Invalidations } from './ports/invalidations.ts';
import type { Keys } from './ports/keys.ts';
import type { Measurements } from './ports/measurements.ts';
import type { Seal } from './ports/seal.ts';
import type { Store } from './ports/store.ts';
import { Presences } from './presence/presences.ts';
import { readSecrets } from './secrets.ts';
import { createServices } from './services/index.ts';
import { type SoftSettings, serviceSettings } from './soft-settings.ts';
import { giveBackSpareMemory } from './spare-memory.ts';
import type { Database } from './store/database.ts';
import type { SlotKeeper } from './store/hold/slot-keeper.ts';
import { createStore } from './store/index.ts';
import { createInvalidations } from './store/invalidations.ts';
import { createOauthStore, type OauthStore } from './store/oauth-store.ts';
import { createResealing } from './store/resealing.ts';
import { createSpaceStore } from './store/space.ts';
import { storedSpellings } from './store/spellings.ts';
import { forgetEarlierStateKeys } from './store/state-keys.ts';
import { timeStatements } from './store/statement-times.ts';
import { startDeletions } from './upkeep/deletions.ts';
import { startDeliveries } from './upkeep/deliveries.ts';
import { startExpiry } from './upkeep/expiry.ts';
import { Indexing } from './upkeep/indexing.ts';
import { startRemovals } from './upkeep/removals.ts';
import type { Repeated } from './upkeep/repeat.ts';
import { startResealing } from './upkeep/resealing.ts';
import { startRetention } from './upkeep/retention.ts';
import { startGivingBack } from './upkeep/space.ts';
import { steadiness } from './upkeep/steadiness.ts';
import { readAuthorities } from './webhooks/authorities.ts';
import { createCallbacks } from './webhooks/callbacks.ts';

/** Everything ends within this time; the unit's `TimeoutStopSec` is longer. */
const END_DEADLINE_MS = 25_000;
/** Repeated work under way may take this long, while requests end. */
const UPKEEP_END_DEADLINE_MS = 3_500;
/** A database that hangs is not waited for: it ends what it does when it notices that nobody is there. */
const DATABASE_END_DEADLINE_MS = 1_000;
/** The part that writes to the bouncer. */
const SESSIONS = 'sessions';

export interface StartOptions {
  config: ConnectorConfig;
  /** The options that a reload may change. */
  soft: SoftSettings;
  readSecret: ReadSecret;
  environment: Environment;
  log: Logger;
  /** Control the service from the moment when it accepts connections. */
  signals: Pick<HeldSignals, 'onEnd'>;
}

interface ResealParts {
  config: ConnectorConfig;
  keys: Keys;
  database: Database;
  seal: Seal;
  log: Logger;
}

/**
 * Builds all parts, listens, and resumes the accounts' sessions; or listens as a standby, and does all that when it has the
 * database. The result ends all of it. @throws StartError
 */
export async function startConnector(options: StartOptions): Promise<Lifecycle> {
  const { log } = options;
  const lifecycle = new Lifecycle(log, undefined, END_DEADLINE_MS);
  lifecycle.add('log', () => logWritten(log));
  const door = new Door(options, lifecycle);
  const composed = compose(options, lifecycle, door);
  try {
    await Promise.race([composed, door.standby]);
  } catch (error) {
    await lifecycle.close();
    throw error;
  }
  // Of a standby. Where the program ends meanwhile nothing is wrong.
  composed.catch((error: unknown) => {
    if (lifecycle.isEnding) return;
    log.fatal({ err: error }, 'this standby can’t take over');
    lifecycle.endFailed();
  });
  return lifecycle;
}

async function compose(
  { config: configured, soft, readSecret, environment, log }: StartOptions,
  lifecycle: Lifecycle,
  door: Door,
): Promise<void> {
  const secrets = readSecrets(configured, readSecret, environment);
  const clock = systemClock;
  const isSteady = steadiness(clock);
  const metricsListener = new MetricsListener(configured.metricsListen, log, lifecycle);
  const waits = (keeper: SlotKeeper): void =>
    door.openAsStandby(keeper, metricsListener.show(createStandbyMetrics(keeper)));
  const { opened, keys, seal } = await openInstallation(configured, secrets, { clock, log, waits });
  const handOver = new HandOver(log);
  lifecycle.add('hand-over', () => handOver.finish());
  lifecycle.add('database', () => opened.close(), DATABASE_END_DEADLINE_MS);
  if (lifecycle.isEnding) return;
  let isUrgent = false;
  opened.onLost((why) => {
    log.error(`${why}: this process ends, so that nothing is sent twice`);
    isUrgent = true;
    // Requests under way may take seconds, in which the sessions would go on writing.
    lifecycle.endFailed(SESSIONS);
  });
  const { database, readers } = opened;
  const config = { ...configured, ircChannels: await storedSpellings(database, configured.ircChannels) };

  const metrics = createMetrics(
    () => ({ ...presences.levels(), unindexedEntries: indexing.backlog }),
    () => store.deliveries.counts(),
  );
  if (opened.keeper !== undefined) addSharingLevels(metrics.registry, opened.keeper);
  const { measurements } = metrics;
  for (const timed of new Set([database, readers])) timeStatements(timed, measurements.statementRun);
  const invalidations = createInvalidations();
  const settings = serviceSettings(config, soft);
  const measured = measuredStore(createStore(opened, seal, clock, invalidations, settings.loginKey), measurements);
  const indexing = new Indexing({ store: measured, log });
  const store = indexing.counting(measured);
  const bouncer = createSojuBouncer(config.bouncer.soju, permitOf(opened.claim, handOver));
  const presences = new Presences({ store, bouncer, clock, log, settings });
  lifecycle.add(SESSIONS, async () => {
    // Where another process has taken the database, it has its sessions already.
    if (!isUrgent) await handOver.begin(opened);
    await presences.close();
  });
  const callbacks = openCallbacks(config.events, { clock, measurements, proxy: secrets.proxy }, lifecycle);
  const keepUp = reserveUpkeep(lifecycle);
  const oauth = createOauthStore(database, seal, clock, invalidations);
  const services = createServices({
    ...{ store, bouncer, callbacks, seal, clock, log, settings },
    consents: oauth.consents,
    presence: presences,
  });

  await presences.forgetEarlier();
  await store.deliveries.releaseAllBut([]);
  await services.prepare();
  // Somebody may be an owner now.
  soft.changed = () => void services.prepare().catch(tellUnfit(log));

  await adoptConsents({ ...oauth, legacyClient: secrets.legacyClient, log });
  const documents = openDocuments({ ...oauth, clock, log }, secrets.proxy, lifecycle);
  const front = createFront({
    config,
    soft,
    secrets,
    keys,
    seal,
    store,
    oauth: { ...oauth, documents },
    services,
    metrics,
    clock,
    log,
    unready: () => door.unready(opened.keeper),
  });
  await metricsListener.show(metrics.registry);
  const port = await door.openTo(front, () => isUrgent);
  lifecycle.add('memory', giveBackSpareMemory());
  await presences.resumeAll(opened.isTakenFromDead);
  if (lifecycle.isEnding) return;
  keepUp([
    indexing.start(),
    startDeliveries({ deliveries: store.deliveries, callbacks, invalidations, clock, log }),
    startRetention({ store, clock, log, keep: () => settings.retention, isSteady }),
    ...startForgetting({ store, database, invalidations, clock, log }),
    startRemovals({ invalidations, log, finishRemovals: (signal) => services.finishRemovals(signal) }),
    startExpiries({ store, oauth, isSteady, log }),
    ...(keys.earlierSealKeys.length === 0 ? [] : [reseal({ config, keys, database, seal, log })]),
  ]);
  log.info({ address: config.listen.address, port, baseUrl: config.baseUrl }, 'ready');
}

const tellUnfit =
  (log: Logger) =>
  (error: unknown): void =>
    log.error({ err: error }, 'accounts do not fit the new configuration yet');

/**
 * Repeated work has ended before the parts that are open now are closed, and begins to end before all others: requests end
 * meanwhile, and both may wait for a database that hangs. The result is called when the work has begun.
 */
function reserveUpkeep(lifecycle: Lifecycle): (upkeep: readonly Repeated[]) => void {
  let end: Promise<void> | undefined;
  lifecycle.add('upkeep', () => end);
  return (upkeep) =>
    lifecycle.add('beginning of the end of upkeep', () => {
      end = endOf(upkeep);
    });
}

async function endOf(upkeep: readonly Repeated[]): Promise<void> {
  const all = Promise.all(upkeep.map((each) => each.close()));
  await Promise.race([all, delay(UPKEEP_END_DEADLINE_MS, undefined, { ref: false })]);
}

interface ForgettingParts {
  store: Pick<Store, 'retention'>;
  database: Database;
  invalidations: Invalidations;
  clock: Clock;
  log: Logger;
}

/** Removes what people have deleted, and what is left of it in the database's files. */
function startForgetting({ store, database, invalidations, clock, log }: ForgettingParts): Repeated[] {
  const space = startGivingBack({ space: createSpaceStore(database), clock, log });
  return [
    space,
    startDeletions({ retention: store.retention, invalidations, log, onRemoved: () => space.afterDeletion() }),
  ];
}

interface ExpiryParts {
  store: Store;
  oauth: OauthStore;
  isSteady: () => boolean;
  log: Logger;
}

function startExpiries({ store, oauth, isSteady, log }: ExpiryParts): Repeated {
  return startExpiry({
    log,
    isSteady,
    expiring: [
      { what: 'records of the authorization server', removeEnded: oauth.records.removeEnded },
      { what: 'consents', removeEnded: oauth.consents.removeEnded },
      { what: 'clients whose consents', removeEnded: oauth.records.releaseClients },
      { what: 'agent sessions', removeEnded: store.agentSessions.removeEnded },
      { what: 'numbers of agent sessions', removeEnded: store.agentSessions.removeStrayCounts },
      { what: 'browser sessions', removeEnded: store.browserSessions.removeEnded },
      { what: 'event subscriptions', removeEnded: store.subscriptions.removeEnded },
      { what: 'deliveries that have waited too long', removeEnded: store.deliveries.removeStale },
    ],
  });
}

/** The keys have been replaced since something was stored. */
function reseal({ config, keys, database, seal, log }: ResealParts): Repeated {
  const { keysFile, stateDirectory } = config;
  return startResealing({
    resealing: createResealing(database, seal),
    forgetEarlierKeys: keysFile === undefined ? () => forgetEarlierStateKeys(stateDirectory, keys) : undefined,
    log,
  });
}

function openDocuments(
  parts: Omit<ClientDocumentsParts, 'fetchDocument'>,
  proxy: OutboundProxy | undefined,
  lifecycle: Lifecycle,
): ClientDocuments {
  const outbound = createOutbound({ deadlineMs: DOCUMENT_DEADLINE_MS, proxy });
  lifecycle.add('documents of clients', () => outbound.close());
  return new ClientDocuments({ ...parts, fetchDocument: documentFetcher(outbound) });
}

function openCallbacks(
  { allowCallbackHosts, callbackCaFile }: ConnectorConfig['events'],
  { clock, measurements, proxy }: { clock: Clock; measurements: Measurements; proxy: OutboundProxy | undefined },
  lifecycle: Lifecycle,
): Callbacks {
  const authorities = callbackCaFile === undefined ? undefined : readAuthorities(callbackCaFile);
  const outbound = createOutbound({ allowHosts: allowCallbackHosts, authorities, proxy });
  lifecycle.add('callbacks', () => outbound.close());
  return measuredCallbacks(createCallbacks({ outbound, clock }), measurements, () => clock.monotonic());
}
