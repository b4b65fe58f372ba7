import type { Knex } from 'knex';
import type { CompanySeen } from './company.ts';
import { databaseClock } from './database-clock.ts';
import { BEAT_DEADLINE_MS } from './process-rows.ts';

const inTime = { query_timeout: BEAT_DEADLINE_MS };

/**
 * Reads which processes serve without the slot. Dead ones count until their rows are deleted: one that is frozen may
 * wake.
 * @param wantsToRead enters this process as one; it must have a row
 */
export async function readCompany(database: Knex, processId: string, wantsToRead: boolean): Promise<CompanySeen> {
  if (wantsToRead) {
    await database('processes')
      .where('process_id', processId)
      .whereNull('reads_since')
      .update({ reads_since: database.raw(databaseClock(database)) })
      .options(inTime);
  }
  const rows: { process_id: string; reads_since: number | string }[] = await database('processes')
    .whereNotNull('reads_since')
    .select('process_id', 'reads_since')
    .options(inTime);
  const own = rows.find(({ process_id: id }) => id === processId);
  const readsSince = own === undefined ? undefined : Number(own.reads_since);
  return { readers: rows.length - (own === undefined ? 0 : 1), readsSince };
}
