import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';
import type { Table } from './tables.ts';

/**
 * Returns table → greatest number that one of its rows ever had. Deleted rows had numbers too, which cursors may still
 * name; so new rows must get greater ones.
 */
export async function lastNumbers(source: Knex, tables: readonly Table[]): Promise<Map<string, number>> {
  const last = new Map<string, number>();
  for (const { name, numbered } of tables) {
    if (numbered === undefined) continue;
    const counted = await (dialectOf(source) === 'sqlite'
      ? countedInFile(source, name)
      : countedBySequence(source, name, numbered));
    // After a manual restore, the database's counter may be lower than existing numbers.
    const [found]: { greatest: number | null }[] = await source(name).max({ greatest: numbered });
    last.set(name, Math.max(counted, found?.greatest ?? 0));
  }
  return last;
}

async function countedInFile(source: Knex, table: string): Promise<number> {
  const [seq]: number[] = await source('sqlite_sequence').where('name', table).pluck('seq');
  return seq ?? 0;
}

async function countedBySequence(source: Knex, table: string, column: string): Promise<number> {
  const { rows: named }: { rows: { sequence: string }[] } = await source.raw(
    'SELECT pg_get_serial_sequence(quote_ident(?), ?) AS sequence',
    [table, column],
  );
  const { rows }: { rows: { last_value: number; is_called: boolean }[] } = await source.raw(
    // The server has already quoted the sequence's name.
    `SELECT last_value, is_called FROM ${named[0]?.sequence}`,
  );
  const [counted] = rows;
  return counted?.is_called === true ? counted.last_value : 0;
}

/** Sets the numbers of the tables, so that new rows get greater ones. */
export async function continueNumbers(
  transaction: Knex,
  tables: readonly Table[],
  last: ReadonlyMap<string, number>,
): Promise<void> {
  for (const { name, numbered } of tables) {
    if (numbered === undefined) continue;
    const number = last.get(name) ?? 0;
    if (dialectOf(transaction) === 'sqlite') {
      await transaction('sqlite_sequence').where({ name }).delete();
      await transaction('sqlite_sequence').insert({ name, seq: number });
    } else {
      await transaction.raw('SELECT setval(pg_get_serial_sequence(quote_ident(?), ?), ?, ?)', [
        name,
        numbered,
        Math.max(number, 1),
        number > 0,
      ]);
    }
  }
}
