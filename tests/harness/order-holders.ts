import pino from 'pino';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { Bouncer } from '../../src/connector/ports/bouncer.ts';
import type { Freshness } from '../../src/connector/ports/invalidations.ts';
import type { NewOrder, OrderKind } from '../../src/connector/ports/order-store.ts';
import { Orders } from '../../src/connector/presence/order-runs.ts';
import { Presences } from '../../src/connector/presence/presences.ts';
import { obedientBouncer } from './bouncer-double.ts';
import { type Door, withDoors, withDoorsInParts } from './doors.ts';
import { type OpenStore, openStore } from './open-store.ts';

const log = pino({ level: 'silent' });
const NETWORKS = { network: { name: 'main' }, otherNetworks: [{ name: 'other' }] };

/** The freshness of a process that other processes share the database with. */
export const shared: Freshness = { alone: () => undefined, sinceBoot: () => 0 };

/** A process that holds the accounts. */
export interface Holder {
  presences: Presences;
  /** What it asked of the bouncer. */
  asked: string[];
  /** Called at each await of its work. */
  knock: (door: Door) => Promise<void>;
  isKilled: boolean;
  end(): Promise<void>;
}

/**
 * A database, processes that hold its accounts, and one without sessions that asks them by orders. Each test of orders
 * begins with `begin`, which makes the account that the orders are for, and ends with `endHolders`.
 */
export class OrderHolders implements AsyncDisposable {
  accountId = '';
  #serial = 0;
  readonly open: OpenStore;
  /** The database as the asking process sees it. */
  readonly there: ReturnType<OpenStore['beside']>;
  readonly #holders: Holder[] = [];
  asker: Orders;

  private constructor(open: OpenStore) {
    this.open = open;
    this.there = open.beside(shared);
    this.asker = this.newAsker();
  }

  static async open(): Promise<OrderHolders> {
    return new OrderHolders(await openStore(shared));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.open[Symbol.asyncDispose]();
  }

  async begin(): Promise<void> {
    // A holder takes the orders of all accounts, also those that a test before has left.
    await this.open.database('orders').delete();
    await this.useAccount();
    this.asker = this.newAsker();
  }

  async useAccount(): Promise<void> {
    this.#serial += 1;
    this.accountId = await this.open.account(`person${this.#serial}`);
  }

  /** A process without sessions. */
  newAsker(): Orders {
    return new Orders({ orders: this.there.store.orders, clock: this.open.clock, log });
  }

  newHolder(changes: Partial<Bouncer> = {}): Holder {
    const asked: string[] = [];
    const noted = (name: keyof Bouncer) => {
      const work = { ...obedientBouncer, ...changes }[name] as (...given: unknown[]) => Promise<unknown>;
      return (...given: unknown[]) => {
        asked.push(name === 'setOnline' ? `${name} ${given[1]}` : name);
        return work(...given);
      };
    };
    const bouncer = {
      ...{ ...obedientBouncer, ...changes },
      ...{ attach: noted('attach'), setOnline: noted('setOnline') },
    } as Bouncer;
    const keeper = {
      knock: async (door: Door): Promise<void> => {
        await holder.knock(door);
        if (holder.isKilled) await new Promise<never>(() => undefined);
      },
      during: <T>(work: Promise<T>): Promise<T> => work,
    };
    const presences = new Presences({
      store: withDoorsInParts(this.open.anew(this.open.clock), keeper),
      bouncer: withDoors(bouncer, 'bouncer', keeper),
      ...{ clock: this.open.clock, log, settings: NETWORKS, freshness: shared },
    });
    const holder: Holder = {
      ...{ presences, asked, knock: async () => undefined, isKilled: false },
      end: async () => {
        const closed = presences.close();
        // The work of a killed process never ends.
        if (!holder.isKilled) await closed;
      },
    };
    this.#holders.push(holder);
    return holder;
  }

  async endHolders(): Promise<void> {
    for (const holder of this.#holders.splice(0)) await holder.end();
  }

  /** Lets the holder take what others have asked, until this is answered. */
  async answered<T>(holder: Holder, asked: Promise<T>): Promise<T> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    asked.then(over, over);
    await waitFor('the order has an outcome', async () => {
      await holder.presences.takeOrders();
      this.asker.outcomesMayBeStored();
      this.open.invalidations.invalidate('orders', this.accountId);
      return isOver;
    });
    return asked;
  }

  order(kind: OrderKind): NewOrder {
    return { accountId: this.accountId, kind, ...(kind === 'choose_network' ? { argument: 'other' } : {}) };
  }

  /** The account as it is stored. */
  async account(): Promise<{ isOnline: boolean; network: string | null }> {
    const [row] = await this.open.database('accounts').where('account_id', this.accountId);
    return { isOnline: row.online_since !== null, network: row.network };
  }

  /** The rows of the account's orders, in the order in which they were stored. */
  rows() {
    return this.open.database('orders').where('account_id', this.accountId).orderBy('row');
  }
}
