import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';
import { hasAgreement, statedIn } from './agreement-rows.ts';
import { ofProgram } from './application-name.ts';
import { CLOCK_WRONG_MS } from './clock-difference.ts';
import type { Member, SharingSeen } from './membership.ts';
import { DEAD_AFTER_MS } from './observation.ts';
import { readSlot } from './process-rows.ts';

/** Most processes that are named. */
const NAMED_MAX = 32;

/**
 * Selects processes with a session at the server: one that was killed, or whose machine is gone, has no session, though
 * its last heartbeat may be new.
 */
export const hasSession = (database: Knex) =>
  dialectOf(database) === 'postgres'
    ? database.raw(`EXISTS (SELECT 1 FROM pg_stat_activity WHERE ${ofProgram('processes.process_id')})`)
    : database.raw('TRUE');

interface MemberRow {
  process_id: string;
  name: string;
  version: string;
  clock_ahead_ms: number | string;
  reads_since: number | string | null;
  agreement?: string | null;
}

export async function seeSharing(database: Knex): Promise<SharingSeen> {
  const { holder, takenAt, databaseNow } = await readSlot(database);
  const agreement = (await hasAgreement(database)) ? ['agreement'] : [];
  const lives = databaseNow - DEAD_AFTER_MS;
  const rows: MemberRow[] = await database('processes')
    .where('seen_at', '>', lives)
    // Later ones are from before the database's clock was set back: a heartbeat since then would have corrected them.
    .where('seen_at', '<', databaseNow + DEAD_AFTER_MS)
    .where(hasSession(database))
    // Several may have begun in the same millisecond.
    .orderBy(['started_at', 'process_id'])
    .limit(NAMED_MAX)
    .select('process_id', 'name', 'version', 'clock_ahead_ms', 'reads_since', ...agreement);
  const members = rows.map((row) => memberOf(row, holder?.processId));
  const [unfit = [], waiting = []] = [true, false].map((isWrong) =>
    members
      .filter(({ does }) => does !== 'holds')
      .filter(({ clockAheadMs }) => Math.abs(clockAheadMs) > CLOCK_WRONG_MS === isWrong)
      .map(({ name }) => name),
  );
  if (holder === undefined) return { holder, waiting, unfit, members };
  const isSilent = holder.seenAt === undefined || holder.seenAt <= lives;
  return { holder: { name: holder.name, takenAt, isSilent }, waiting, unfit, members };
}

function memberOf(
  { process_id: processId, name, version, clock_ahead_ms: aheadMs, reads_since: readsSince, agreement }: MemberRow,
  holder: string | undefined,
): Member {
  const without = readsSince === null ? 'waits' : 'serves';
  const does = processId === holder ? 'holds' : without;
  return { name, version, does, clockAheadMs: Number(aheadMs), stated: statedIn(agreement ?? null) };
}
