import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/log.ts';
import type { Processes } from './domain/share.ts';
import type { Door } from './door.ts';
import type { HandOver } from './hand-over.ts';
import type { MetricsListener } from './metrics/listener.ts';
import { openReadingInstallation } from './open-installation.ts';
import type { OwnAgreement } from './own-agreement.ts';
import type { OwnDeliveries } from './own-deliveries.ts';
import type { OwnKeys } from './own-keys.ts';
import type { OwnNotices } from './own-notices.ts';
import type { Invalidations } from './ports/invalidations.ts';
import type { Secrets } from './secrets.ts';
import { createServing, type Serving } from './serving.ts';
import type { SoftSettings } from './soft-settings.ts';
import type { SlotKeeper } from './store/hold/slot-keeper.ts';
import type { OwnFreshness } from './store/own-freshness.ts';
import { untilAnswered } from './store/reading.ts';
import { storedSpellings } from './store/spellings.ts';
import { startRemovals } from './upkeep/removing.ts';
import { endOf, type Repeated } from './upkeep/repeat.ts';

/** The part that ends at once when another process acts for the accounts. */
const URGENT = 'sessions beside the process that has the database';

export interface BesideParts {
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
  handOver: HandOver;
  agreement: OwnAgreement;
  ownKeys: OwnKeys;
  /** Processes that serve on the same database. */
  processes: Processes;
}

/**
 * Serves all requests beside the process that has the database, until this one takes it or ends, and acts for the
 * accounts that other processes hand over to it. What needs the session of another account reaches its process by the
 * database.
 */
export class Beside {
  readonly #parts: BesideParts;
  readonly #keeper: SlotKeeper;
  #serving: Serving | undefined;
  #upkeep: readonly Repeated[] = [];
  #passedOn: Promise<void> | undefined;

  constructor(parts: BesideParts, keeper: SlotKeeper) {
    this.#parts = parts;
    this.#keeper = keeper;
  }

  /** @throws StartError */
  async serve(): Promise<void> {
    const { config: configured, secrets, log, freshness, lifecycle, door, deliveries, metricsListener } = this.#parts;
    const keeper = this.#keeper;
    const { company } = keeper;
    const ends = new AbortController();
    lifecycle.add('wait for the other processes', () => ends.abort());
    const opening = await openReadingInstallation(configured, secrets, {
      ...{ keeper, ownKeys: this.#parts.ownKeys },
      ...{ ends: ends.signal, log },
    });
    if (opening === undefined) return;
    const { opened } = opening;
    freshness.reads(company);
    const ircChannels = await untilAnswered(
      () => storedSpellings(opened.database, configured.ircChannels),
      ends.signal,
    );
    if (ircChannels === undefined) return opened.close();
    const config = { ...configured, ircChannels };
    const isDecided = await untilAnswered(() => this.#parts.agreement.decide(config).then(() => true), ends.signal);
    if (isDecided === undefined) return opened.close();
    const serving = createServing({
      ...this.#parts,
      ...opening,
      config,
      keeper,
      claim: company.claim,
      indexesAll: false,
    });
    const { store, metrics, calls, front } = serving;
    const close = async (): Promise<void> => {
      await this.passOn();
      if (lifecycle.isEnding) await deliveries.close();
      // The calls of the last seconds serve diagnosis only, and may be lost.
      await calls?.store().catch(() => undefined);
      if (!keeper.hasSlot) await keeper.release();
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
    this.#act(serving);
  }

  /** Acts for the accounts that other processes hand over. */
  #act(serving: Serving): void {
    const { lifecycle, invalidations, log, soft, agreement } = this.#parts;
    const { sessions, store, services, indexing } = serving;
    let isUrgent = false;
    lifecycle.add(URGENT, async () => {
      if (isUrgent) await this.passOn();
    });
    this.#keeper.company.claim.onLost((why) => {
      log.error(`${why}: this process ends, so that nothing is sent twice`);
      isUrgent = true;
      lifecycle.endFailed(URGENT);
    });
    this.#serving = serving;
    soft.changed = () => {
      sessions.presence.channelKeysChanged();
      void agreement.reloaded();
    };
    if (this.#passedOn !== undefined) return;
    // The accounts that it has already are gained by the first pass of that work, again after a failure.
    this.#upkeep = [
      ...sessions.start(),
      sessions.offer(),
      indexing.start(),
      startRemovals({
        ...{ invalidations, log, removals: store.removals },
        finishRemovals: (signal) => services.finishRemovals(signal),
      }),
    ];
  }

  /**
   * Passes all its accounts on: to the process that has the database when this one ends, to new sessions of this process
   * when it has taken it. Connections to the bouncer stay open, and silent, until those have attached.
   */
  passOn(): Promise<void> {
    this.#passedOn ??= this.#passOn();
    return this.#passedOn;
  }

  async #passOn(): Promise<void> {
    const { handOver } = this.#parts;
    const { accounts, holder, hasSlot } = this.#keeper;
    const serving = this.#serving;
    if (serving === undefined) return;
    // Last, so that no accounts are accepted after it.
    const declining = hasSlot ? [] : [{ close: () => accounts.decline() }];
    await endOf([...this.#upkeep, ...declining]);
    if (hasSlot) return serving.sessions.handOver();
    if (accounts.own.size > 0) handOver.beginBeside(holder?.name);
    await serving.sessions.close();
  }
}
