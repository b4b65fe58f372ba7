import type { Knex } from 'knex';

/** Where the two databases do not speak the same SQL. Whatever is not here is the same statement for both. */
export type Dialect = 'sqlite' | 'postgres';

export function dialectOf(database: Knex): Dialect {
  return database.client.driverName === 'pg' ? 'postgres' : 'sqlite';
}

/**
 * Joins the rows of a table that are looked up for each row so far, whatever the planner thinks: PostgreSQL's takes LIKE
 * for so rare a thing that it would sooner read a whole table than look up what is known of it.
 */
export function lookUpEach(database: Knex, table: string, name: string, columns: string, condition: string): string {
  return dialectOf(database) === 'sqlite'
    ? `CROSS JOIN ${table} AS ${name} ON ${condition}`
    : `CROSS JOIN LATERAL (SELECT ${columns} FROM ${table} AS ${name} WHERE ${condition} OFFSET 0) AS ${name}`;
}

/** What transactions that number entries of an account say: a session that has come to a row has seen all before it. */
export const arrivals = (accountId: string): string => `arrivals of ${accountId}`;

/**
 * Tells PostgreSQL how much the tables hold now: until it looks by itself, which may take a minute, it plans for empty
 * ones, and goes through a full one row by row. SQLite's plans here do not depend on it.
 */
export async function noteGrowth(database: Knex, tables: readonly string[]): Promise<void> {
  if (dialectOf(database) === 'sqlite') return;
  await database.raw(`ANALYZE ${tables.map(() => '??').join(', ')}`, [...tables]);
}

/**
 * Lets transactions that name the same thing run one after the other, until they end.
 * SQLite has one writer at a time anyway; PostgreSQL runs them side by side, where a count may be outdated before it is
 * used, and a row that was numbered first may be seen last.
 */
export async function takeTurns(transaction: Knex, what: string): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return;
  await transaction.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [what]);
}
