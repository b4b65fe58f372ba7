import type { Knex } from 'knex';
import type { Resealing } from '../ports/resealing.ts';
import type { Seal } from '../ports/seal.ts';

type Row = Record<string, string>;

/** Where encrypted texts stay in the database. */
interface SealedColumn {
  table: string;
  column: string;
  /** The primary key. */
  keys: readonly [string, ...string[]];
  /** What binds the text to its row. */
  placeOf(row: Row): string;
}

/** All of them: a text that is not listed can't be read after its key is forgotten. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'accounts',
    column: 'bouncer_password_sealed',
    keys: ['account_id'],
    placeOf: ({ account_id: accountId = '' }) => accountId,
  },
  {
    table: 'oauth_records',
    column: 'payload_sealed',
    keys: ['kind', 'id_hash'],
    placeOf: ({ kind, id_hash: idHash }) => `oauth/${kind}/${idHash}`,
  },
  {
    table: 'subscriptions',
    column: 'callback_sealed',
    keys: ['subscription_id'],
    placeOf: ({ subscription_id: subscriptionId }) => `subscription/${subscriptionId}`,
  },
  { table: 'installation', column: 'check_sealed', keys: ['name'], placeOf: ({ name }) => `installation/${name}` },
];

export function createResealing(database: Knex, seal: Seal): Resealing {
  let [column, ...waiting] = SEALED_COLUMNS;
  let after: string[] | undefined;
  const counts = { renewed: 0, unreadable: 0 };
  const renew = async (of: SealedColumn, row: Row): Promise<void> => {
    const sealed = row[of.column] ?? '';
    const renewed = renewedOrUndefined(seal, sealed, of.placeOf(row), counts);
    if (renewed === undefined) return;
    const key = Object.fromEntries(of.keys.map((name) => [name, row[name]]));
    // What was stored meanwhile is encrypted with the newest key.
    await database(of.table)
      .where({ ...key, [of.column]: sealed })
      .update({ [of.column]: renewed });
    counts.renewed += 1;
  };
  return {
    advance: async (limit) => {
      if (column === undefined) return false;
      const of = column;
      const rows = await rowsAfter(database, of, after, limit);
      for (const row of rows) await renew(of, row);
      const last = rows.at(-1);
      after = last === undefined ? undefined : of.keys.map((name) => last[name] ?? '');
      if (last === undefined) [column, ...waiting] = waiting;
      return column !== undefined;
    },
    counts: () => ({ ...counts }),
  };
}

function renewedOrUndefined(
  seal: Seal,
  sealed: string,
  place: string,
  counts: { unreadable: number },
): string | undefined {
  try {
    return seal.renew(sealed, place);
  } catch {
    // It was unreadable before: its key is in no file any more.
    counts.unreadable += 1;
    return undefined;
  }
}

async function rowsAfter(
  database: Knex,
  { table, column, keys }: SealedColumn,
  after: readonly string[] | undefined,
  limit: number,
): Promise<Row[]> {
  const rows = database(table)
    .select(...keys, column)
    .orderBy([...keys])
    .limit(limit);
  if (after === undefined) return rows;
  const names = keys.map(() => '??').join(', ');
  const values = keys.map(() => '?').join(', ');
  return rows.whereRaw(`(${names}) > (${values})`, [...keys, ...after]);
}
