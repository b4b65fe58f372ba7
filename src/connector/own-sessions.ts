import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { createAdminSocket } from './bouncer/admin-socket.ts';
import { permitOf } from './bouncer/permit-of.ts';
import { createSojuBouncer } from './bouncer/soju-bouncer.ts';
import type { KnownNetwork } from './domain/known-network.ts';
import type { Processes } from './domain/share.ts';
import type { HandOver } from './hand-over.ts';
import type { Bouncer } from './ports/bouncer.ts';
import type { Claim } from './ports/claims.ts';
import type { Invalidations } from './ports/invalidations.ts';
import type { Store } from './ports/store.ts';
import { Presences } from './presence/presences.ts';
import type { ServiceSettings } from './services/context.ts';
import { channelKeyIn, type SoftSettings } from './soft-settings.ts';
import type { SlotKeeper } from './store/hold/slot-keeper.ts';
import type { OwnFreshness } from './store/own-freshness.ts';
import { startTakingOrders } from './upkeep/order-taking.ts';
import { type Repeated, repeat } from './upkeep/repeat.ts';
import { type HandedOver, type ShareOfSlots, startSpread } from './upkeep/spread.ts';
import { startWaitingSends } from './upkeep/waiting-sends.ts';

/** Interval at which a process that can't reach the bouncer tries it again. */
const PROBE_MS = 5_000;
/** Interval of looks for accounts that this process got; the keeper reports them at once. */
const FOLLOW_MS = 2_000;

export interface OwnSessionsParts {
  config: ConnectorConfig;
  soft: SoftSettings;
  settings: ServiceSettings;
  /** All known networks. */
  networks: readonly KnownNetwork[];
  store: Store;
  /** Right of this process to act. */
  claim: Claim;
  /** Undefined if no other process can use the database: then this one acts for all accounts. */
  keeper: SlotKeeper | undefined;
  handOver: HandOver;
  processes: Processes;
  invalidations: Invalidations;
  freshness: OwnFreshness;
  clock: Clock;
  log: Logger;
}

/**
 * The sessions of the accounts that this process acts for, and the way to those of other processes. A process that has
 * the database and one that serves beside it each have one; it follows the account slots that the keeper reports.
 */
export class OwnSessions {
  readonly bouncer: Bouncer;
  /** The presence of all accounts, also of those for which other processes act. */
  readonly presence: Presences;
  readonly #parts: OwnSessionsParts;
  readonly #gains = createTurns();
  readonly #handOvers = createTurns();
  /** Slot that is being handed over: it must not be gained meanwhile. */
  #leaving: number | undefined;
  #hasEnded = false;
  /** Whether other sessions have taken all its accounts: then what still hangs may write nothing. */
  #isOver = false;

  constructor(parts: OwnSessionsParts) {
    const { config, soft, settings, networks, store, claim, keeper, handOver, processes } = parts;
    const { invalidations, freshness, clock, log } = parts;
    this.#parts = parts;
    const permitted: Pick<Claim, 'isTrusted' | 'onDoubt'> = {
      isTrusted: () => !this.#isOver && claim.isTrusted(),
      onDoubt: (doubted) => claim.onDoubt(doubted),
    };
    this.bouncer = createSojuBouncer({ ...config.bouncer.soju, known: networks }, permitOf(permitted, handOver));
    this.presence = new Presences({
      ...{ store, bouncer: this.bouncer, settings, processes, clock, log, freshness, invalidations },
      owned: keeper && store.accounts,
      channelKey: channelKeyIn(soft),
    });
  }

  /**
   * Acts for the accounts of this process from now on.
   * @param isShared whether other processes serve, too: then accounts that are to be online keep their state until this
   * process has tried to attach them
   */
  async begin(isShared: boolean): Promise<void> {
    if (this.#parts.keeper === undefined) return this.presence.gain('all', { isShared });
    await this.#gain(isShared);
  }

  /** Begins to carry out what other processes ask for, to act for accounts that it gets, and to hand others over. */
  start(): Repeated[] {
    const { store, keeper, invalidations, log } = this.#parts;
    const processId = keeper?.company.claim.processId;
    const taking = [
      startTakingOrders({ takeOrders: () => this.presence.takeOrders(), invalidations, log }),
      startWaitingSends({ messages: store.messages, presences: this.presence, invalidations, log }),
    ];
    if (keeper === undefined || processId === undefined) return taking;
    const following = repeat(
      { failure: 'the accounts that this process got could not be read', everyMs: FOLLOW_MS, log },
      () => this.#gain(),
    );
    keeper.accounts.onChange(() => following.wake());
    invalidations.on('slots', () => keeper.lookNow());
    const slotsOfAccounts = () => store.accounts.slotsOfOnline();
    const handOver = (slot: number, processId: string) => this.#handOver(keeper, slot, processId);
    const areAttached = async (slot: number, { name }: ShareOfSlots) =>
      name === undefined || (await store.presences.areOf(name, slot));
    return [
      ...taking,
      following,
      startSpread({ processId, accounts: keeper.accounts, handOver, slotsOfAccounts, areAttached, log }),
    ];
  }

  /** Gets accounts of other processes once it has found that the bouncer answers. */
  offer(): Repeated {
    const { config, keeper, log } = this.#parts;
    const run = createAdminSocket(config.bouncer.soju.adminSocket);
    const failure = 'this process gets no accounts, because it can’t reach the bouncer';
    let isReached = false;
    return repeat({ failure, everyMs: PROBE_MS, log }, async (signal) => {
      if (isReached) return;
      await run(['server', 'status']);
      if (signal.aborted) return;
      isReached = true;
      await keeper?.accounts.accept();
    });
  }

  /** Passes all accounts on to other sessions of this process. Connections stay open, and silent, until they attach. */
  async handOver(): Promise<void> {
    this.#hasEnded = true;
    await this.#handOvers(() =>
      this.#gains(async () => {
        const slots = [...(this.#parts.keeper?.accounts.own ?? [])];
        await this.presence.leaveAll(slots);
        this.#isOver = true;
      }),
    );
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    this.#hasEnded = true;
    await this.presence.close();
  }

  /** Hands the accounts of a slot over to another process. */
  #handOver(keeper: SlotKeeper, slot: number, processId: string): Promise<HandedOver> {
    return this.#handOvers(async () => {
      this.#leaving = slot;
      try {
        // One that is under way may gain this slot.
        await this.#gains(async () => undefined);
        if (this.#hasEnded || !(await this.presence.release([slot]))) return 'busy';
        // If the outcome is unknown, a later look may find that the slot is still here.
        const isGiven = await keeper.accounts.give(slot, processId);
        if (isGiven) this.#parts.invalidations.invalidate('slots', String(slot));
        else await this.presence.gain([slot], { isShared: true });
        keeper.lookNow();
        return isGiven ? 'given' : 'refused';
      } finally {
        this.#leaving = undefined;
      }
    });
  }

  /** Gains all slots of this process but one that is being handed over, which may take seconds. */
  #gain(isShared = true): Promise<void> {
    return this.#gains(async () => {
      const slots = [...(this.#parts.keeper?.accounts.own ?? [])].filter((slot) => slot !== this.#leaving);
      if (!this.#hasEnded && slots.length > 0) await this.presence.gain(slots, { isShared });
    });
  }
}

/** Returns a function that does one work after the other. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    // The failure is the caller's; the next work begins in any case.
    last = turn.catch(() => undefined);
    return turn;
  };
}
