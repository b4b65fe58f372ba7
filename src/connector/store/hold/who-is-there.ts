import type { Knex } from 'knex';
import { DEAD_AFTER_MS } from './observation.ts';
import { readSlot } from './process-rows.ts';

/** The processes that share a database, as one look shows them. */
export interface SharingSeen {
  /** Undefined while none has it. */
  holder: { name: string | undefined; takenAt: number; isSilent: boolean } | undefined;
  /** Names of those that live and wait. */
  waiting: string[];
}

/** How many that wait are named. */
const NAMED_MAX = 10;

export async function seeSharing(database: Knex): Promise<SharingSeen> {
  const { holder, takenAt, databaseNow } = await readSlot(database);
  const lives = databaseNow - DEAD_AFTER_MS;
  const waiting: string[] = await database('processes')
    .where('seen_at', '>', lives)
    // Later ones are of before the database's clock was set back: a heartbeat since then would have corrected them.
    .where('seen_at', '<', databaseNow + DEAD_AFTER_MS)
    .whereNot('process_id', holder?.processId ?? '')
    .orderBy('started_at')
    .limit(NAMED_MAX)
    .pluck('name');
  if (holder === undefined) return { holder, waiting };
  const isSilent = holder.seenAt === undefined || holder.seenAt <= lives;
  return { holder: { name: holder.name, takenAt, isSilent }, waiting };
}
