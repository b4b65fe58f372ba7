import { hostname } from 'node:os';
import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';

/** What a lease on the whole database is called. */
const CONNECTOR = 'connector';

interface LeaseRow {
  name: string;
  holder: string;
  taken_at: number | string;
}

/** Writes down which process has the database, for whoever finds it taken. */
export async function writeHolder(database: Knex, clock: Clock): Promise<void> {
  await database<LeaseRow>('leases')
    .insert({ name: CONNECTOR, holder: `process ${process.pid} on ${hostname()}`, taken_at: clock.now() })
    .onConflict('name')
    .merge();
}

/** Who has the database, as far as can be told. */
export async function readHolder(database: Knex): Promise<string> {
  const lease = await database<LeaseRow>('leases')
    .where('name', CONNECTOR)
    .first()
    // The table may not be there yet, and the lock itself is what counts.
    .catch(() => undefined);
  return lease === undefined ? 'another process' : lease.holder;
}
