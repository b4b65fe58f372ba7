import type { Knex } from 'knex';
import type { Database } from './database.ts';
import type { DeliveryRow } from './delivery-queue.ts';
import { dueInTurn, nextDueInMs } from './delivery-turns.ts';
import { dialectOf, lock } from './dialect.ts';
import { databaseClock } from './hold/database-clock.ts';
import { Observation } from './hold/observation.ts';
import type { LeaseClock } from './lease-clock.ts';
import type { SubscriptionRow } from './subscriptions.ts';

/** Leased delivery with the encrypted callback of its subscription. */
export type TakenRow = DeliveryRow & Pick<SubscriptionRow, 'callback_sealed'>;

export interface LeaseParts {
  database: Database;
  /** See `OpenDatabase`. */
  readers: Database;
  /** Id of this process; undefined if only one can use the database. */
  processId: string | undefined;
  leaseClock: LeaseClock;
}

/** Lock of the transactions that lease: only one of them counts the leased deliveries at a time. */
const LOCK = 'leases of deliveries';
/** Time after which the server ends an idle transaction that has the lock: its process is frozen, and others wait. */
const LOCK_IDLE_DEADLINE_MS = 3_000;

const CALLBACK = `(SELECT subscriptions.callback_sealed FROM subscriptions
  WHERE subscriptions.subscription_id = deliveries.subscription_id) AS callback_sealed`;

/** Leases due deliveries in turn. The limits hold for all processes together. */
export async function leaseDue(parts: LeaseParts, limit: number, leaseMs: number): Promise<TakenRow[]> {
  const { database, readers, leaseClock } = parts;
  if (dialectOf(database) === 'sqlite') {
    // Finding the turns takes long if thousands are queued, so it runs on the readers: others write meanwhile.
    const rows = await dueInTurn(readers, leaseClock.now(readers), limit);
    return rows.length === 0 ? [] : lease(database, parts, rows, leaseMs);
  }
  // Saves the transaction while nothing is due.
  const dueInMs = await nextDueInMs(readers, leaseClock.now(readers));
  if (dueInMs === undefined || dueInMs > 0) return [];
  return database.transaction(async (transaction) => {
    await transaction.raw("SELECT set_config('idle_in_transaction_session_timeout', ?, true)", [
      `${LOCK_IDLE_DEADLINE_MS}`,
    ]);
    await lock(transaction, LOCK);
    // A statement of its own, which sees what was leased during the wait.
    const rows = await dueInTurn(transaction, leaseClock.now(transaction), limit);
    return rows.length === 0 ? [] : lease(transaction, parts, rows, leaseMs);
  });
}

async function lease(
  database: Database,
  { processId, leaseClock }: Pick<LeaseParts, 'leaseClock' | 'processId'>,
  rows: readonly number[],
  leaseMs: number,
): Promise<TakenRow[]> {
  return (
    database('deliveries')
      .whereIn('deliveries.row', freeOf(database, rows, leaseClock))
      .update({ leased_until: leaseClock.after(database, leaseMs), leased_by: processId ?? null })
      // One statement: if a second one failed, the leased deliveries would be idle until their lease ends.
      .returning(['*', database.raw(CALLBACK)])
  );
}

/**
 * Selects the rows that are still free. A transaction on PostgreSQL may be dropping some of them at this moment; SQLite
 * has one writer at a time.
 */
function freeOf(database: Database, rows: readonly number[], leaseClock: LeaseClock): Knex.QueryBuilder {
  const free = database('deliveries')
    .whereIn('deliveries.row', [...rows])
    .where('deliveries.leased_until', '<=', leaseClock.now(database))
    .select('deliveries.row');
  return dialectOf(database) === 'sqlite' ? free : free.forUpdate().skipLocked();
}

const FREE = { leased_until: 0, leased_by: null };

/** Selects the leases of this process: all of them, if only one can use the database. */
export function ownLeases(database: Database, { processId }: Pick<LeaseParts, 'processId'>) {
  const leased = database<DeliveryRow>('deliveries').where('leased_until', '>', 0);
  return processId === undefined ? leased : leased.where('leased_by', processId);
}

/** Ends leases of this process. */
export async function endLeases(leases: ReturnType<typeof ownLeases>): Promise<void> {
  await leases.update(FREE);
}

/** A process that has leased deliveries, as one look reads it. */
interface Owner {
  /** Null for leases of an earlier version of the program, which has ended. */
  leased_by: string | null;
  /** Time of its last heartbeat; null if it has ended. */
  seen_at: number | null;
  now: number;
}

/**
 * Ends the leases of other processes that have ended or are dead. A process has ended when its row is gone; it is dead
 * by the rule for the process that has the slot.
 */
export class LeasesOfTheDead {
  readonly #parts: LeaseParts;
  readonly #observations = new Map<string, Observation>();

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /**
   * Looks once; the looks should come every two seconds.
   * @param monotonicMs when the look begins
   * @returns whether leases have ended
   */
  async release(monotonicMs: number): Promise<boolean> {
    const { database } = this.#parts;
    const owners = await this.#owners();
    const known = new Set(owners.map(({ leased_by: id }) => id));
    for (const id of this.#observations.keys()) if (!known.has(id)) this.#observations.delete(id);
    let released = 0;
    for (const owner of owners) {
      if (!this.#hasEnded(owner) && !this.#isDead(owner, monotonicMs)) continue;
      released += await this.#leasesOf(database, owner).update(FREE);
    }
    return released > 0;
  }

  async #owners(): Promise<Owner[]> {
    const { readers, processId } = this.#parts;
    return readers('deliveries')
      .leftJoin('processes', 'processes.process_id', 'deliveries.leased_by')
      .where('deliveries.leased_until', '>', 0)
      .whereRaw('deliveries.leased_by IS DISTINCT FROM ?', [processId ?? null])
      .distinct('deliveries.leased_by', 'processes.seen_at', readers.raw(`${databaseClock(readers)} AS now`));
  }

  #hasEnded({ leased_by, seen_at }: Owner): boolean {
    return leased_by === null || seen_at === null;
  }

  #isDead({ leased_by: processId, seen_at: seenAt, now }: Owner, monotonicMs: number): boolean {
    if (processId === null) return true;
    const observation = this.#observations.get(processId) ?? new Observation();
    this.#observations.set(processId, observation);
    const sight = {
      processId,
      fence: 0,
      seenAt: seenAt === null ? undefined : Number(seenAt),
      databaseNow: Number(now),
    };
    return observation.isDead(sight, monotonicMs);
  }

  /** Selects its leases, unless it has sent a heartbeat since the look. */
  #leasesOf(database: Database, { leased_by: processId, seen_at: seenAt }: Owner) {
    const leased = database<DeliveryRow>('deliveries').where('leased_until', '>', 0);
    if (processId === null) return leased.whereNull('leased_by');
    const lives = database('processes').where('process_id', processId).select('process_id');
    return leased
      .where('leased_by', processId)
      .whereNotExists(seenAt === null ? lives : lives.whereNot('seen_at', seenAt));
  }
}
