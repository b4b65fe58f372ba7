import type { Knex } from 'knex';
import { ORDER_DEADLINE_MS, ORDER_KEPT_MS, ORDERS_OF_ACCOUNT_MAX } from '../domain/limits.ts';
import { accountBusy, accountRemoved, orderExpired, refusalOf } from '../errors.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { OrderKind, OrderOutcome, OrderState, OrderStore, TakenOrder } from '../ports/order-store.ts';
import { newId } from '../random.ts';
import type { Database } from './database.ts';
import { lock, rowsOf } from './dialect.ts';
import { databaseClock } from './hold/database-clock.ts';
import { groupsOf } from './rows-at-once.ts';
import { invalidating } from './shared-invalidations.ts';

interface OrderRow {
  row: number | string;
  order_id: string;
  account_id: string;
  kind: OrderKind;
  argument: string | null;
  asked_by: string;
  taken_by: string | null;
  deadline_at: number | string;
  outcome: string | null;
}

type TakenRow = OrderRow & { left_ms: number | string };

/** Stores an order of an account that stands, unless too many of it wait. */
const INSERT = (now: string): string => `
  INSERT INTO orders (order_id, account_id, kind, argument, asked_by, deadline_at)
  SELECT CAST(? AS text), account_id, CAST(? AS text), CAST(? AS text), CAST(? AS text), ${now} + ? FROM accounts
  WHERE account_id = ? AND removed_at IS NULL
    AND (SELECT count(*) FROM orders WHERE orders.account_id = accounts.account_id AND outcome IS NULL) < ?
  RETURNING order_id`;

/** Each store has orders of its own, also where several are of one process. */
export function createOrderStore(database: Database, invalidations: Invalidations): OrderStore {
  const ownId = newId('run');
  const now = databaseClock(database);
  const orders = (from: Knex = database) => from<OrderRow>('orders');
  const one = (orderId: string) => orders().where('order_id', orderId);
  /** Selects orders that this store may take. */
  const toTake = (from: Knex = database) =>
    orders(from).whereNull('outcome').whereRaw('taken_by IS DISTINCT FROM ?', [ownId]).whereRaw(`deadline_at > ${now}`);
  const take = async (from: Knex, accountId: string): Promise<TakenOrder[]> => {
    const rows = (await toTake(from)
      .where('account_id', accountId)
      .update({ taken_by: ownId })
      .returning(['*', from.raw(`deadline_at - ${now} AS left_ms`)])) as TakenRow[];
    return rows.sort((one, other) => Number(one.row) - Number(other.row)).map((row) => takenOf(row, ownId));
  };
  const changing = <T>(accountId: string, work: (invalidate: (subject: Subject) => void) => Promise<T>): Promise<T> => {
    const subjects: Subject[] = [['orders', accountId]];
    return invalidating(invalidations, subjects, () => work((subject) => void subjects.push(subject)));
  };
  return {
    add: ({ accountId, kind, argument = null }, takes) =>
      changing(accountId, (invalidate) =>
        database.transaction(async (transaction) => {
          // Lock: orders become visible in the order of their rows, so none can come behind a later one.
          await lock(transaction, `orders of ${accountId}`);
          const orderId = newId('ord');
          const values = [orderId, kind, argument, ownId, ORDER_DEADLINE_MS, accountId, ORDERS_OF_ACCOUNT_MAX];
          const inserted = rowsOf(await transaction.raw(INSERT(now), values as Knex.RawBinding[]));
          if (inserted.length === 0) throw await refusalFor(transaction, accountId);
          const taken = takes ? await take(transaction, accountId) : [];
          if (taken.some(isOfOthers)) invalidate(['account', accountId]);
          return { orderId, leftMs: ORDER_DEADLINE_MS, taken };
        }),
      ),
    waiting: () => toTake().distinct('account_id').pluck('account_id'),
    take: async (accountId) => {
      const taken = await take(database, accountId);
      if (taken.some(isOfOthers)) invalidations.invalidate('account', accountId);
      return taken;
    },
    release: async (accountId, known) => {
      await orders()
        .where({ account_id: accountId, taken_by: ownId })
        .whereNull('outcome')
        .whereNotIn('order_id', [...known])
        .update({ taken_by: null });
    },
    finish: async ({ orderId, accountId, isOwn }, outcome) => {
      if (isOwn) return void (await one(orderId).delete());
      await changing(accountId, () =>
        one(orderId)
          .whereNull('outcome')
          .update({ outcome: JSON.stringify(outcome) }),
      );
    },
    statesOf: async (orderIds) => {
      const states = new Map<string, OrderState>();
      for (const group of groupsOf(orderIds)) {
        const rows = await orders().whereIn('order_id', group).select('order_id', 'account_id', 'outcome', 'taken_by');
        for (const row of rows) states.set(row.order_id, stateIn(row));
        // What this process has read before an outcome is outdated: its caller asks next.
        const decided = new Set(rows.flatMap(({ outcome, account_id: id }) => (outcome === null ? [] : [id])));
        for (const accountId of decided)
          for (const topic of ['account', 'presence'] as const) invalidations.invalidate(topic, accountId);
      }
      return states;
    },
    cancel: async (orderId) => {
      const outcome = JSON.stringify({ error: refusalOf(orderExpired()) } satisfies OrderOutcome);
      return (await one(orderId).whereNull('outcome').whereNull('taken_by').update({ outcome })) > 0;
    },
    forget: async (orderId) => void (await one(orderId).delete()),
    removeEnded: (limit) => {
      const ended = orders().whereRaw(`deadline_at < ${now} - ?`, [ORDER_KEPT_MS]).limit(limit).select('row');
      return orders().whereIn('row', ended).delete();
    },
  };
}

async function refusalFor(transaction: Knex, accountId: string): Promise<Error> {
  const account: unknown = await transaction('accounts')
    .where('account_id', accountId)
    .whereNull('removed_at')
    .first('account_id');
  return account === undefined ? accountRemoved() : accountBusy();
}

/** Whoever gave such an order may have changed the account before, elsewhere. */
const isOfOthers = ({ isOwn }: TakenOrder): boolean => !isOwn;

function stateIn({ outcome, taken_by: takenBy }: Pick<OrderRow, 'outcome' | 'taken_by'>): OrderState {
  if (outcome !== null) return JSON.parse(outcome) as OrderOutcome;
  return takenBy === null ? 'waiting' : 'taken';
}

const takenOf = (row: TakenRow, ownId: string): TakenOrder => ({
  ...{ orderId: row.order_id, accountId: row.account_id, kind: row.kind, argument: row.argument },
  isOwn: row.asked_by === ownId,
  leftMs: Number(row.left_ms),
});
