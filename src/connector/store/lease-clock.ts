import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from './database.ts';

/** A time in milliseconds since 1970, or SQL for one. */
export type Moment = number | Knex.Raw;

/** The clock by which deliveries are due and leased. */
export interface LeaseClock {
  now(database: Database): Moment;
  after(database: Database, ms: number): Moment;
}

/**
 * Time of the database, the same within a statement: a volatile function would keep PostgreSQL from using an index. A
 * statement that follows a lock begins after the wait.
 */
const STATEMENT_NOW = 'CAST(extract(epoch FROM statement_timestamp()) * 1000 AS bigint)';

/** Clock that all processes on a PostgreSQL database share; the clocks of their machines may differ. */
export const sharedLeaseClock: LeaseClock = {
  now: (database) => database.raw(STATEMENT_NOW),
  after: (database, ms) => database.raw(`${STATEMENT_NOW} + ?`, [Math.round(ms)]),
};

/** Clock of the only process that uses the database. */
export const ownLeaseClock = (clock: Clock): LeaseClock => ({
  now: () => clock.now(),
  after: (_, ms) => clock.now() + Math.round(ms),
});
