import type { RequestListener } from 'node:http';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/log.ts';
import type { CallLog } from './admin/call-log.ts';
import type { KnownNetwork } from './domain/known-network.ts';
import type { Processes } from './domain/share.ts';
import type { Door } from './door.ts';
import { createFront } from './front.ts';
import type { HandOver } from './hand-over.ts';
import { createMetrics, type Metrics } from './metrics/connector-metrics.ts';
import { measuredStore } from './metrics/measured-store.ts';
import { addSharingLevels } from './metrics/sharing-levels.ts';
import { openCallLog } from './open-call-log.ts';
import { openDocuments } from './open-documents.ts';
import type { OwnDeliveries } from './own-deliveries.ts';
import type { OwnKeys } from './own-keys.ts';
import type { OwnNotices } from './own-notices.ts';
import { OwnSessions } from './own-sessions.ts';
import type { Claim } from './ports/claims.ts';
import type { Invalidations } from './ports/invalidations.ts';
import type { Keys } from './ports/keys.ts';
import type { Seal } from './ports/seal.ts';
import type { Store } from './ports/store.ts';
import type { Secrets } from './secrets.ts';
import type { ServiceSettings } from './services/context.ts';
import { createServices, type Services } from './services/index.ts';
import { type SoftSettings, serviceSettings } from './soft-settings.ts';
import type { Database, OpenDatabase } from './store/database.ts';
import type { SlotKeeper } from './store/hold/slot-keeper.ts';
import { createStore } from './store/index.ts';
import { createOauthStore, type OauthStore } from './store/oauth-store.ts';
import { countWaitingOrders } from './store/order-counts.ts';
import type { OwnFreshness } from './store/own-freshness.ts';
import { timeStatements } from './store/statement-times.ts';
import { Indexing } from './upkeep/indexing.ts';

/** What a process serves with, with the database or beside the process that has it. */
export interface ServingParts {
  config: ConnectorConfig;
  soft: SoftSettings;
  secrets: Secrets;
  keys: Keys;
  ownKeys: OwnKeys;
  seal: Seal;
  /** All known networks. */
  networks: readonly KnownNetwork[];
  opened: Pick<OpenDatabase, 'database' | 'readers' | 'processId'>;
  /** Right of this process to act. */
  claim: Claim;
  /** Undefined if no other process can use the database. */
  keeper: SlotKeeper | undefined;
  /** Whether this process indexes also what earlier runs and other processes have stored. */
  indexesAll: boolean;
  notices: OwnNotices;
  deliveries: OwnDeliveries;
  handOver: HandOver;
  /** Processes that serve on the same database. */
  processes: Processes;
  clock: Clock;
  log: Logger;
  invalidations: Invalidations;
  freshness: OwnFreshness;
  door: Door;
  lifecycle: Lifecycle;
}

export interface Serving {
  store: Store;
  oauth: OauthStore;
  settings: ServiceSettings;
  services: Services;
  sessions: OwnSessions;
  indexing: Indexing;
  metrics: Metrics;
  calls: CallLog | undefined;
  /** Answers all requests. */
  front: RequestListener;
}

/** Builds all that answers requests, on an open database. */
export function createServing(parts: ServingParts): Serving {
  const { config, soft, secrets, keys, ownKeys, seal, opened, deliveries, invalidations, freshness } = parts;
  const { keeper, processes, clock, log, door, lifecycle } = parts;
  const { database, readers } = opened;
  const metrics: Metrics = createMetrics(
    () => ({ ...sessions.presence.levels(), unindexedEntries: indexing.backlog }),
    {
      deliveries: () => store.deliveries.counts(),
      orders: () => countWaitingOrders(readers),
    },
  );
  const settings = serviceSettings(config, soft);
  const measured = measuredStore(
    createStore(opened, seal, clock, invalidations, settings.loginKey),
    measuring(metrics, parts),
  );
  const indexing = new Indexing({ store: measured, log, freshness, indexesAll: parts.indexesAll });
  const store = indexing.counting(measured);
  const sessions: OwnSessions = new OwnSessions({ ...parts, settings, store });
  const oauth = createOauthStore(database, seal, clock, invalidations);
  const services = createServices({
    ...{ store, bouncer: sessions.bouncer, callbacks: deliveries.callbacks, seal, clock, log, settings },
    consents: oauth.consents,
    presence: sessions.presence,
  });
  const documents = openDocuments({ ...oauth, clock, log, freshness, processes }, secrets.proxy, lifecycle);
  const calls = openCallLog(config, { calls: store.calls, freshness, clock, log }, lifecycle);
  const front = createFront({
    ...{ config, soft, processes, secrets, keys, seal, store, services, metrics, calls, clock, log },
    cookieKeys: () => ownKeys.cookieKeys,
    oauth: { ...oauth, documents },
    unready: () => door.unready(keeper),
  });
  return { store, oauth, settings, services, sessions, indexing, metrics, calls, front };
}

/** Adds what is to be known of an open database to the metrics. */
function measuring(
  { registry, measurements }: Metrics,
  { opened: { database, readers }, keeper, notices }: Pick<ServingParts, 'opened' | 'keeper' | 'notices'>,
): Metrics['measurements'] {
  if (keeper !== undefined) addSharingLevels(registry, keeper, notices);
  for (const timed of new Set<Database>([database, readers])) timeStatements(timed, measurements.statementRun);
  return measurements;
}
