import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';

const SQLITE_NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/**
 * Returns SQL for the database's clock, in milliseconds since 1970: it advances within a statement. Do not select rows
 * by it from a table that grows: PostgreSQL then uses no index for the time, and reads all rows. See `statementClock`.
 */
export const databaseClock = (database: Knex): string =>
  dialectOf(database) === 'sqlite' ? SQLITE_NOW : 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)';

/**
 * Returns SQL for the database's clock when the statement began, in milliseconds since 1970: an index finds rows by it.
 * A statement that follows a lock begins after the wait.
 */
export const statementClock = (database: Knex): string =>
  dialectOf(database) === 'sqlite' ? SQLITE_NOW : 'CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint)';
