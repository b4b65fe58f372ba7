import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';
import { ofProgram } from './application-name.ts';
import type { SharingSeen } from './membership.ts';
import { DEAD_AFTER_MS } from './observation.ts';
import { readSlot } from './process-rows.ts';
import { CLOCK_WRONG_MS } from './slot-keeper.ts';

/** Most waiting processes that are named. */
const NAMED_MAX = 10;

/**
 * Selects processes with a session at the server: one that was killed, or whose machine is gone, has no session, though
 * its last heartbeat may be new.
 */
const hasSession = (database: Knex) =>
  dialectOf(database) === 'postgres'
    ? database.raw(`EXISTS (SELECT 1 FROM pg_stat_activity WHERE ${ofProgram('processes.process_id')})`)
    : database.raw('TRUE');

export async function seeSharing(database: Knex): Promise<SharingSeen> {
  const { holder, takenAt, databaseNow } = await readSlot(database);
  const lives = databaseNow - DEAD_AFTER_MS;
  const others: { name: string; clock_ahead_ms: number | string }[] = await database('processes')
    .where('seen_at', '>', lives)
    // Later ones are from before the database's clock was set back: a heartbeat since then would have corrected them.
    .where('seen_at', '<', databaseNow + DEAD_AFTER_MS)
    .whereNot('process_id', holder?.processId ?? '')
    .where(hasSession(database))
    .orderBy('started_at')
    .limit(NAMED_MAX)
    .select('name', 'clock_ahead_ms');
  const [unfit = [], waiting = []] = [true, false].map((isWrong) =>
    others
      .filter(({ clock_ahead_ms: aheadMs }) => Math.abs(Number(aheadMs)) > CLOCK_WRONG_MS === isWrong)
      .map(({ name }) => name),
  );
  if (holder === undefined) return { holder, waiting, unfit };
  const isSilent = holder.seenAt === undefined || holder.seenAt <= lives;
  return { holder: { name: holder.name, takenAt, isSilent }, waiting, unfit };
}
