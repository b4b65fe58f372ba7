import type { Knex } from 'knex';

/** The differences between the SQL of the two databases. All other statements are the same for both. */
export type Dialect = 'sqlite' | 'postgres';

export function dialectOf(database: Knex): Dialect {
  return database.client.driverName === 'pg' ? 'postgres' : 'sqlite';
}

/** Returns the rows of a raw statement, which have the form of the pool's driver. */
export const rowsOf = <Row>(result: unknown): Row[] =>
  Array.isArray(result) ? (result as Row[]) : (result as { rows: Row[] }).rows;

/**
 * Joins a table by a lookup for each row so far. Without this PostgreSQL's planner, which can't know how many rows have a
 * phrase, may read the whole table instead.
 */
export function lookUpEach(database: Knex, table: string, name: string, columns: string, condition: string): string {
  return dialectOf(database) === 'sqlite'
    ? `CROSS JOIN ${table} AS ${name} ON ${condition}`
    : `CROSS JOIN LATERAL (SELECT ${columns} FROM ${table} AS ${name} WHERE ${condition} OFFSET 0) AS ${name}`;
}

/**
 * Whether a folded text has a folded phrase. Avoids LIKE, which compares character by character: a phrase that nearly
 * matches at each place takes a second for a few thousand lines.
 */
export function hasPhrase(database: Knex, table: string, phrase: string): [sql: string, bindings: string[]] {
  const find = dialectOf(database) === 'sqlite' ? 'instr' : 'strpos';
  return [`${find}(${table}.text_folded, ?) > 0`, [phrase]];
}

/** Returns the greater of a selected value and a number. */
export function greaterOf(database: Knex, selected: Knex.QueryBuilder, number: number): Knex.Raw {
  return database.raw(`${dialectOf(database) === 'sqlite' ? 'max' : 'greatest'}(?, ?)`, [selected, number]);
}

/**
 * Returns the lock under which transactions number an account's entries: a session that has seen a row has then seen
 * all earlier ones.
 */
export const arrivalLock = (accountId: string): string => `arrivals of ${accountId}`;

/**
 * Makes PostgreSQL look at the size of the tables now. Its own schedule may take a minute; until then it plans for
 * empty tables, and reads full ones row by row. SQLite's plans here do not depend on the size.
 */
export async function noteGrowth(database: Knex, tables: readonly string[]): Promise<void> {
  if (dialectOf(database) === 'sqlite') return;
  await database.raw(`ANALYZE ${tables.map(() => '??').join(', ')}`, [...tables]);
}

/**
 * Takes a lock by name until the transaction ends, so that transactions with the same name run one after the other.
 * SQLite has one writer at a time anyway. PostgreSQL runs transactions side by side: without this a count could be
 * outdated before it is used, and a row with a lower number could become visible later than one with a higher number.
 */
export async function lock(transaction: Knex, what: string): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return;
  await transaction.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [what]);
}
