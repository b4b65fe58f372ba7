import type { ConnectorConfig } from '../../schemas/connector.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { HeldSignals } from '../kernel/held-signals.ts';
import { Lifecycle } from '../kernel/lifecycle.ts';
import { type Logger, logWritten } from '../kernel/log.ts';
import type { Environment, ReadSecret } from './database-choice.ts';
import type { Processes } from './domain/share.ts';
import { Door } from './door.ts';
import { HandOver } from './hand-over.ts';
import { createStandbyMetrics } from './metrics/connector-metrics.ts';
import { MetricsListener } from './metrics/listener.ts';
import { adoptConsents } from './oauth/adopt-consents.ts';
import { openInstallation } from './open-installation.ts';
import { OwnAgreement } from './own-agreement.ts';
import { OwnDeliveries } from './own-deliveries.ts';
import { OwnKeys } from './own-keys.ts';
import { OwnNotices } from './own-notices.ts';
import type { OwnSessions } from './own-sessions.ts';
import type { Invalidations } from './ports/invalidations.ts';
import type { Keys } from './ports/keys.ts';
import type { Seal } from './ports/seal.ts';
import type { Store } from './ports/store.ts';
import { readSecrets } from './secrets.ts';
import { Beside } from './serve-beside.ts';
import type { Services } from './services/index.ts';
import { createServing } from './serving.ts';
import type { SoftSettings } from './soft-settings.ts';
import { giveBackSpareMemory } from './spare-memory.ts';
import { standbyRefusals } from './standby-refusals.ts';
import type { Database } from './store/database.ts';
import { asStartError } from './store/failures.ts';
import { removeSilent } from './store/hold/process-rows.ts';
import type { SlotKeeper } from './store/hold/slot-keeper.ts';
import { recordKeyInUse } from './store/installation.ts';
import type { OauthStore } from './store/oauth-store.ts';
import { OwnFreshness } from './store/own-freshness.ts';
import { createResealing } from './store/sealed-columns.ts';
import { createInvalidations } from './store/shared-invalidations.ts';
import { createSpaceStore } from './store/space.ts';
import { storedSpellings } from './store/spellings.ts';
import { forgetEarlierStateKeys } from './store/state-keys.ts';
import { startDeletions } from './upkeep/deletions.ts';
import { startExpiry } from './upkeep/expiry.ts';
import { startGivingBack } from './upkeep/giving-back.ts';
import { type RetentionOptions, startRetention } from './upkeep/pruning.ts';
import { startRemovals } from './upkeep/removing.ts';
import { endOf, type Repeated } from './upkeep/repeat.ts';
import { startResealing } from './upkeep/resealing-run.ts';
import { steadiness } from './upkeep/steadiness.ts';

/** Deadline of the program's end; the unit's `TimeoutStopSec` is longer. */
const END_DEADLINE_MS = 25_000;
/**
 * Deadline for closing the database. A hanging one is not waited for: it ends its work when it notices that the client
 * is gone.
 */
const DATABASE_END_DEADLINE_MS = 2_000;
/** The part that writes to the bouncer. */
const SESSIONS = 'sessions';

export interface StartOptions {
  config: ConnectorConfig;
  /** The options that a reload may change. */
  soft: SoftSettings;
  readSecret: ReadSecret;
  environment: Environment;
  log: Logger;
  /** Signals, which control the service once it accepts connections. */
  signals: Pick<HeldSignals, 'onEnd'>;
}

interface ResealParts {
  config: ConnectorConfig;
  keys: Keys;
  ownKeys: OwnKeys;
  database: Database;
  seal: Seal;
  log: Logger;
}

/**
 * Builds all parts, listens, and resumes the accounts' sessions; or listens as a standby, and does all that when it
 * gets the database. Closing the result ends all of it.
 * @throws StartError
 */
export async function startConnector(options: StartOptions): Promise<Lifecycle> {
  const { log } = options;
  const lifecycle = new Lifecycle(log, undefined, END_DEADLINE_MS);
  lifecycle.add('log', () => logWritten(log));
  const door = new Door({ ...options, refusals: standbyRefusals }, lifecycle);
  const composed = compose(options, lifecycle, door);
  try {
    await Promise.race([composed, door.standby]);
  } catch (error) {
    await lifecycle.close();
    throw asStartError(error);
  }
  // Handles the failure of a standby; while the program ends, a failure is expected.
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
  soft.channelKeys = secrets.channelKeys;
  const clock = systemClock;
  const metricsListener = new MetricsListener(configured.metricsListen, log, lifecycle);
  const freshness = new OwnFreshness();
  const invalidations = createInvalidations(freshness);
  const base = { clock, log, invalidations, freshness, isSteady: steadiness(clock) };
  const handOver = new HandOver(log, () => lifecycle.endsAtMs);
  lifecycle.add('hand-over', () => handOver.finish());
  const notices = new OwnNotices({ ...base, choice: secrets.database, lifecycle });
  const { agreement, ownKeys } = openAgreement({ soft, clock, log, lifecycle });
  let sharing: SlotKeeper | undefined;
  const processes: Processes = () => sharing?.serving ?? 1;
  const deliveries = new OwnDeliveries({ ...base, config: configured, proxy: secrets.proxy, processes, lifecycle });
  // A process that waits, or is between two ways of serving, states what a reload has changed, too.
  soft.changed = () => void agreement.reloaded();
  const own = { agreement, ownKeys, notices, deliveries, handOver };
  const parts = { ...base, ...own, soft, secrets, lifecycle, door, processes };
  let beside: Beside | undefined;
  const waits = (keeper: SlotKeeper, keys: Keys | undefined): void => {
    sharing = keeper;
    agreement.follow(keeper.agreement);
    ownKeys.follow(keeper.agreement, keys);
    const serves = servesBeside(configured);
    door.openAsStandby(keeper, metricsListener.show(createStandbyMetrics(keeper, notices)), serves);
    if (!serves) return;
    notices.follow(keeper);
    beside = new Beside({ ...parts, config: configured, metricsListener }, keeper);
    beside.serve().catch(logUnserved(log));
  };
  const { opened, keys, seal, networks } = await openInstallation(configured, secrets, { clock, log, ownKeys, waits });
  lifecycle.add('database', () => opened.close(), DATABASE_END_DEADLINE_MS);
  if (lifecycle.isEnding) return;
  const { database, claim, keeper } = opened;
  sharing = keeper;
  agreement.follow(keeper?.agreement);
  let isUrgent = false;
  opened.onLost((why) => {
    log.error(`${why}: this process ends, so that nothing is sent twice`);
    isUrgent = true;
    // Requests under way may take seconds, in which the sessions would go on writing.
    lifecycle.endFailed(SESSIONS);
  });
  freshness.holds(keeper?.company);
  notices.follow(keeper);
  const config = { ...configured, ircChannels: await storedSpellings(database, configured.ircChannels) };
  ownKeys.holds((next) => recordKeyInUse(database, next));
  await agreement.decide(config);
  const held = { opened, claim, keeper, keys, seal, networks };
  const serving = createServing({ ...parts, ...held, config, indexesAll: true });
  const { store, oauth, settings, services, sessions, indexing, metrics } = serving;
  lifecycle.add(SESSIONS, async () => {
    // If another process has taken the database, it has this one's sessions already.
    if (!isUrgent) await handOver.begin(opened);
    await sessions.close();
  });
  const keepUp = reserveUpkeep(lifecycle);
  await deliveries.holds({ claim, deliveries: store.deliveries, measurements: metrics.measurements });
  // A reload may have made a person an owner, also one of another process just now.
  agreement.onChange(() => services.prepare());
  await services.prepare();
  soft.changed = () => void followChange(sessions, agreement).catch(logUnfit(log));
  await adoptConsents({ ...oauth, legacyClient: secrets.legacyClient, log });
  await beside?.passOn();
  await keeper?.accounts.seen();
  await sessions.begin(keeper?.company.isEntered === true || processes() > 1);

  await metricsListener.show(metrics.registry);
  const isAwaited = () => handOver.isAwaited(opened);
  const port = await door.openTo(serving.front, { isUrgent: () => isUrgent, isAwaited });
  lifecycle.add('memory', giveBackSpareMemory());
  if (lifecycle.isEnding) return;
  keepUp(sessions.start(), [
    indexing.start(),
    deliveries.start(),
    ...startForgetting({ store, database, ...base }),
    ...startAccountWork({ services, store, keep: () => settings.retention, ...base }),
    startExpiries({ store, oauth, database, ...base }),
    ...(keys.earlierSealKeys.length === 0 ? [] : [reseal({ config, keys, ownKeys, database, seal, log })]),
  ]);
  void keeper?.accounts.accept();
  log.info({ address: config.listen.address, port, baseUrl: config.baseUrl }, 'ready');
}

/** Whether this process serves while another one has the slot. */
const servesBeside = ({ database }: ConnectorConfig): boolean => 'postgres' in database && !database.postgres.standby;

const logUnserved =
  (log: Logger) =>
  (error: unknown): void =>
    log.error({ err: error }, 'this process can’t serve beside the one that has the database: it waits for it');

/** Applies a reload to the sessions and the accounts. */
function followChange(sessions: OwnSessions, agreement: OwnAgreement): Promise<void> {
  sessions.presence.channelKeysChanged();
  return agreement.reloaded();
}

interface AgreementParts {
  soft: SoftSettings;
  clock: Clock;
  log: Logger;
  lifecycle: Lifecycle;
}

/** Opens what this process has in common with others on the same database: settings and keys. */
function openAgreement({ soft, clock, log, lifecycle }: AgreementParts): { agreement: OwnAgreement; ownKeys: OwnKeys } {
  const agreement = new OwnAgreement({ soft, log });
  lifecycle.add('agreement', () => agreement.close());
  const lacking = (hasKeys: boolean): void => {
    if (lifecycle.isEnding) return;
    const lacks = hasKeys ? 'with a newer key, which this one lacks' : 'by now, and this one has no keys';
    log.fatal(
      `the other processes on this database encrypt ${lacks}: copy the keys of one of them here (keys.json, or the file that keysFile names); this process ends`,
    );
    lifecycle.endFailed();
  };
  return { agreement, ownKeys: new OwnKeys({ clock, log, lacking }) };
}

const logUnfit =
  (log: Logger) =>
  (error: unknown): void =>
    log.error({ err: error }, 'accounts do not fit the new configuration yet');

/**
 * Reserves the place of repeated work in the order of the end. The work has ended before the parts that are open now
 * are closed, and begins to end before all others: requests end meanwhile, and both may wait for a database that hangs.
 * What other processes ask for is taken until requests have ended: they serve meanwhile.
 * The result is called when the work has begun.
 */
function reserveUpkeep(lifecycle: Lifecycle): (taking: readonly Repeated[], upkeep: readonly Repeated[]) => void {
  let taken: readonly Repeated[] = [];
  let end: Promise<void> | undefined;
  lifecycle.add('upkeep', async () => void (await Promise.all([endOf(taken), end])));
  return (taking, upkeep) => {
    taken = taking;
    lifecycle.add('beginning of the end of upkeep', () => {
      end = endOf(upkeep);
    });
  };
}

interface ForgettingParts {
  store: Pick<Store, 'retention'>;
  database: Database;
  invalidations: Invalidations;
  clock: Clock;
  log: Logger;
}

/** Starts the work that removes data which people have deleted, and frees their space in the database's files. */
function startForgetting({ store, database, invalidations, clock, log }: ForgettingParts): Repeated[] {
  const space = startGivingBack({ space: createSpaceStore(database), clock, log });
  return [
    space,
    startDeletions({ retention: store.retention, invalidations, log, onRemoved: () => space.afterDeletion() }),
  ];
}

interface AccountWorkParts extends RetentionOptions {
  store: Store;
  services: Services;
  invalidations: Invalidations;
}

/** Starts the work for accounts: retention and removals. */
function startAccountWork({ services, ...parts }: AccountWorkParts): Repeated[] {
  return [
    startRetention(parts),
    startRemovals({
      ...parts,
      removals: parts.store.removals,
      finishRemovals: (signal) => services.finishRemovals(signal),
    }),
  ];
}

interface ExpiryParts {
  store: Store;
  oauth: OauthStore;
  database: Database;
  isSteady: () => boolean;
  log: Logger;
}

function startExpiries({ store, oauth, database, isSteady, log }: ExpiryParts): Repeated {
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
      { what: 'orders for accounts', removeEnded: store.orders.removeEnded },
      { what: 'attempts to log in at networks', removeEnded: store.loginAttempts.removeEnded },
      { what: 'calls of clients', removeEnded: store.calls.removeEnded },
      { what: 'processes of this program', removeEnded: (limit) => removeSilent(database, limit) },
    ],
  });
}

/** Starts encrypting stored data anew after the keys were replaced. */
function reseal({ config, keys, ownKeys, database, seal, log }: ResealParts): Repeated {
  const { keysFile, stateDirectory } = config;
  return startResealing({
    resealing: createResealing(database, seal),
    isSettled: () => ownKeys.isSettled,
    forgetEarlierKeys: keysFile === undefined ? () => forgetEarlierStateKeys(stateDirectory, keys) : undefined,
    log,
  });
}
