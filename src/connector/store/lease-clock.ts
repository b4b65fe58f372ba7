import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from './database.ts';
import { statementClock } from './hold/database-clock.ts';

/** A time in milliseconds since 1970, or SQL for one. */
export type Moment = number | Knex.Raw;

/** The clock by which deliveries are due and leased. */
export interface LeaseClock {
  now(database: Database): Moment;
  after(database: Database, ms: number): Moment;
}

/** Clock that all processes on a PostgreSQL database share; the clocks of their machines may differ. */
export const sharedLeaseClock: LeaseClock = {
  now: (database) => database.raw(statementClock(database)),
  after: (database, ms) => database.raw(`${statementClock(database)} + ?`, [Math.round(ms)]),
};

/** Clock of the only process that uses the database. */
export const ownLeaseClock = (clock: Clock): LeaseClock => ({
  now: () => clock.now(),
  after: (_, ms) => clock.now() + Math.round(ms),
});
