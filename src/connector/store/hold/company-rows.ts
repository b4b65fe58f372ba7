import type { Knex } from 'knex';
import type { CompanySeen } from './company.ts';
import { databaseClock } from './database-clock.ts';
import { BEAT_DEADLINE_MS } from './process-rows.ts';

const inTime = { query_timeout: BEAT_DEADLINE_MS };

interface ReaderRow {
  process_id: string;
  reads_since: number | string;
  seen_at: number | string;
  now: number | string;
}

/**
 * Reads which processes serve without the slot. Dead ones count until their rows are deleted: one that is frozen may
 * wake.
 * @param wantsToRead enters this process as one, which gets no account slots before it accepts some; it must have a row
 */
export async function readCompany(database: Knex, processId: string, wantsToRead: boolean): Promise<CompanySeen> {
  const now = database.raw(databaseClock(database));
  if (wantsToRead) {
    await database('processes')
      .where('process_id', processId)
      .whereNull('reads_since')
      .update({ reads_since: now, declines_since: now })
      .options(inTime);
  }
  const rows: ReaderRow[] = await database('processes')
    .whereNotNull('reads_since')
    .select('process_id', 'reads_since', 'seen_at', database.raw(`${databaseClock(database)} AS now`))
    .options(inTime);
  const own = rows.find(({ process_id: id }) => id === processId);
  return {
    others: rows
      .filter((row) => row !== own)
      .map((row) => ({ processId: row.process_id, seenAt: Number(row.seen_at), databaseNow: Number(row.now) })),
    readsSince: own === undefined ? undefined : Number(own.reads_since),
  };
}
