import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';

/** Returns SQL for the database's clock, in milliseconds since 1970: it advances within a transaction. */
export const databaseClock = (database: Knex): string =>
  dialectOf(database) === 'sqlite'
    ? "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
    : 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)';
