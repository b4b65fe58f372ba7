import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/log.ts';
import { noBouncer } from './bouncer/no-bouncer.ts';
import type { Processes } from './domain/share.ts';
import type { Door } from './door.ts';
import { createFront } from './front.ts';
import type { MetricsListener } from './metrics/listener.ts';
import { measuredStore } from './metrics/measured-store.ts';
import { createMetrics } from './metrics/measurements.ts';
import { addSharingLevels } from './metrics/sharing-levels.ts';
import { openCallLog } from './open-call-log.ts';
import { openDocuments } from './open-documents.ts';
import { openReadingInstallation } from './open-installation.ts';
import type { OwnDeliveries } from './own-deliveries.ts';
import type { OwnNotices } from './own-notices.ts';
import type { Invalidations } from './ports/invalidations.ts';
import { Orders } from './presence/orders.ts';
import { createStoredPresence } from './presence/stored-presence.ts';
import type { Secrets } from './secrets.ts';
import { createServices } from './services/index.ts';
import { type SoftSettings, serviceSettings } from './soft-settings.ts';
import type { SlotKeeper } from './store/hold/slot-keeper.ts';
import { createStore } from './store/index.ts';
import { createOauthStore } from './store/oauth-store.ts';
import { countWaitingOrders } from './store/order-counts.ts';
import type { OwnFreshness } from './store/own-freshness.ts';
import { untilAnswered } from './store/reading.ts';
import { storedSpellings } from './store/spellings.ts';
import { timeStatements } from './store/statement-times.ts';

export interface ReadsParts {
  config: ConnectorConfig;
  soft: SoftSettings;
  secrets: Secrets;
  clock: Clock;
  log: Logger;
  invalidations: Invalidations;
  freshness: OwnFreshness;
  lifecycle: Lifecycle;
  door: Door;
  notices: OwnNotices;
  deliveries: OwnDeliveries;
  metricsListener: MetricsListener;
  /** Processes that serve on the same database. */
  processes: Processes;
}

/** Levels of a process without sessions. */
const NO_SESSIONS = {
  sessionsWanted: 0,
  sessionsOnline: 0,
  networksConnected: 0,
  waitingTasks: 0,
  waitingLines: 0,
  unindexedEntries: Number.NaN,
};

/**
 * Serves all requests while another process has the slot, until this one takes it or ends. What needs a session with the
 * bouncer reaches the other process by the database.
 */
export async function serveReads(parts: ReadsParts, keeper: SlotKeeper): Promise<void> {
  const { config: configured, soft, secrets, clock, log, invalidations, freshness, lifecycle, door } = parts;
  const { deliveries, processes, notices, metricsListener } = parts;
  const ends = new AbortController();
  lifecycle.add('wait for the other processes', () => ends.abort());
  const opening = await openReadingInstallation(configured, secrets, keeper, ends.signal);
  if (opening === undefined) return;
  const { opened, keys, seal } = opening;
  const { company } = keeper;
  freshness.reads(company);
  const { database } = opened;
  const ircChannels = await untilAnswered(() => storedSpellings(database, configured.ircChannels), ends.signal);
  if (ircChannels === undefined) return opened.close();
  const config = { ...configured, ircChannels };
  const settings = serviceSettings(config, soft);
  const metrics = createMetrics(() => NO_SESSIONS, {
    deliveries: () => store.deliveries.counts(),
    orders: () => countWaitingOrders(database),
  });
  addSharingLevels(metrics.registry, keeper, notices);
  const store = measuredStore(createStore(opened, seal, clock, invalidations, settings.loginKey), metrics.measurements);
  timeStatements(database, metrics.measurements.statementRun);
  const oauth = createOauthStore(database, seal, clock, invalidations);
  const orders = new Orders({ orders: store.orders, clock, log });
  invalidations.on('orders', () => orders.outcomesMayBeStored());
  const services = createServices({
    ...{ store, bouncer: noBouncer, callbacks: deliveries.callbacks, seal, clock, log, settings },
    consents: oauth.consents,
    presence: createStoredPresence({ ...store, invalidations, orders }),
  });
  const documents = openDocuments({ ...oauth, clock, log, freshness, processes }, secrets.proxy, lifecycle);
  const calls = openCallLog(config, { calls: store.calls, freshness, clock, log }, lifecycle);
  const front = createFront({
    ...{ config, soft, processes, secrets, keys, seal, store, metrics, calls, clock, log },
    oauth: { ...oauth, documents },
    services,
    unready: () => door.unready(keeper),
  });
  const close = async (): Promise<void> => {
    if (lifecycle.isEnding) await deliveries.close();
    await calls?.store().catch(() => undefined);
    await opened.close();
  };
  // If it has taken the slot meanwhile, it shows all metrics.
  if (!keeper.hasSlot) await metricsListener.show(metrics.registry);
  door.openToReaders(front, { mayServe: () => company.mayRead(), close });
  if (keeper.hasSlot || lifecycle.isEnding) return;
  deliveries.use({ claim: company.claim, deliveries: store.deliveries, measurements: metrics.measurements });
  deliveries.start();
  // Requests end meanwhile.
  lifecycle.add('beginning of the end of deliveries', () => void deliveries.close());
  log.info({ holder: keeper.holder?.name }, 'serves beside the process that has the database');
}
