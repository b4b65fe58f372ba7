import type { Knex } from 'knex';
import type { Resealing } from '../ports/resealing.ts';
import type { Seal } from '../ports/seal.ts';
import { checkOfNewestAlone, isCheckOpened } from './installation-check.ts';
import { networkLoginPlace } from './network-login-place.ts';

type Row = Record<string, string>;

/** Column with encrypted texts. */
interface SealedColumn {
  table: string;
  column: string;
  /** The primary key first, then other columns that bind the text to its row. */
  keys: readonly [string, ...string[]];
  /** Returns the place that binds the text to its row. */
  placeOf(row: Row): string;
  /** Returns the text to store, if that is not the same one under the newest key. @throws Error as `Seal.renew` does */
  renew?(seal: Seal, sealed: string, place: string): string | undefined;
  /** Whether the keys open it, if it is more than one text. */
  isOpened?(seal: Seal, sealed: string, place: string): boolean;
}

/** All of them: texts of a column that is not listed become unreadable when their key is deleted. */
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
  {
    table: 'network_logins',
    column: 'proof_sealed',
    keys: ['login_id', 'account_id', 'network', 'address'],
    placeOf: networkLoginPlace,
  },
  // The last one: after it the newest key alone opens the database.
  {
    table: 'installation',
    column: 'check_sealed',
    keys: ['name'],
    placeOf: ({ name }) => `installation/${name}`,
    renew: checkOfNewestAlone,
    isOpened: isCheckOpened,
  },
];

export function createResealing(database: Knex, seal: Seal): Resealing {
  let [column, ...waiting] = SEALED_COLUMNS;
  let after: string[] | undefined;
  const counts = { renewed: 0, unreadable: 0 };
  const renew = async (of: SealedColumn, row: Row): Promise<void> => {
    const sealed = row[of.column] ?? '';
    const renewed = renewedOrUndefined(() => renewedIn(of, seal, sealed, of.placeOf(row)), counts);
    if (renewed === undefined) return;
    const key = Object.fromEntries(of.keys.map((name) => [name, row[name]]));
    // A text that was stored meanwhile is encrypted with the newest key.
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

const renewedIn = ({ renew }: SealedColumn, seal: Seal, sealed: string, place: string): string | undefined =>
  renew === undefined ? seal.renew(sealed, place) : renew(seal, sealed, place);

function renewedOrUndefined(renewed: () => string | undefined, counts: { unreadable: number }): string | undefined {
  try {
    return renewed();
  } catch {
    // The text was unreadable before: its key is in no file.
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
