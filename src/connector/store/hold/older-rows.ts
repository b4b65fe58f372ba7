import type { Knex } from 'knex';
import { breakingSteps, isBreaking, lackingMigrations } from '../migrate.ts';
import { databaseClock } from './database-clock.ts';
import type { OlderSeen } from './membership.ts';
import { BEAT_DEADLINE_MS } from './process-rows.ts';

interface ProcessRow {
  process_id: string;
  name: string;
  version: string;
  /** Null in the row of a process of an earlier version, which does not write it. */
  schema: string | null;
  seen_at: number | string;
  now: number | string;
}

/** Names of the steps that the database lacks, and that earlier versions can't ignore. @throws NewerDatabase */
export const lackingBreakingSteps = async (database: Knex): Promise<string[]> =>
  (await lackingMigrations(database, { acceptsAdditive: true })).filter(isBreaking);

/**
 * Lists the other processes, dead ones included, whose programs do not know all of these steps. The table must have the
 * column `schema`.
 */
export async function readOlder(database: Knex, own: string, steps: readonly string[]): Promise<OlderSeen[]> {
  const rows: ProcessRow[] = await database('processes')
    .whereNot('process_id', own)
    .orderBy(['started_at', 'process_id'])
    .select('process_id', 'name', 'version', 'schema', 'seen_at', database.raw(`${databaseClock(database)} AS now`))
    .options({ query_timeout: BEAT_DEADLINE_MS });
  const known = await breakingSteps();
  const newest = known.indexOf(steps.at(-1) ?? '');
  const isOlder = ({ schema }: ProcessRow): boolean => {
    if (schema === null) return true;
    const its = known.indexOf(schema);
    return its !== -1 && its < newest;
  };
  return rows.filter(isOlder).map((row) => ({
    ...{ processId: row.process_id, name: row.name, version: row.version },
    seenAt: Number(row.seen_at),
    databaseNow: Number(row.now),
  }));
}
