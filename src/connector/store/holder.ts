import { hostname } from 'node:os';
import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';
import { onOneLine } from '../../kernel/errors.ts';
import { CONNECTOR, type DatabaseServer } from './connect/server.ts';
import { seeSharing } from './hold/who-is-there.ts';

/** Names this process in messages of others, and in rows of its own. */
export const thisProcess = (): string => `process ${process.pid} on ${hostname()}`;

interface LeaseRow {
  name: string;
  holder: string;
  taken_at: number | string;
}

/** Records which process has the database, for messages of other processes. */
export async function writeHolder(database: Knex, clock: Clock): Promise<void> {
  await database<LeaseRow>('leases')
    .insert({ name: CONNECTOR, holder: thisProcess(), taken_at: clock.now() })
    .onConflict('name')
    .merge();
}

/** Says which process uses the database, as far as it is known, for the beginning of a message. */
export async function readHolder(database: Knex, server: Pick<DatabaseServer, 'describeHolder'>): Promise<string> {
  // The last one that is known is named then.
  const found = await server.describeHolder?.(database).catch(() => undefined);
  if (found === undefined) return onOneLine(`${await lastHolder(database)} uses it`);
  const { process, session, isConnector } = found;
  if (process !== undefined) {
    return onOneLine(`${process} uses it (its lock on the server: ${session})${await besideIt(database)}`);
  }
  // The session belongs to an earlier version, or to a process that migrates or moves.
  const last = isConnector ? ` (the last connector was ${await lastHolder(database)})` : '';
  return onOneLine(`${session} uses it${last}`);
}

/** Names the processes that serve or wait beside the one that has the database: they have to end as well. */
async function besideIt(database: Knex): Promise<string> {
  const members = await seeSharing(database).then(
    (sharing) => sharing.members,
    // The message names those that are known.
    () => [],
  );
  const others = members.filter(({ does }) => does !== 'holds').map(({ name }) => name);
  return others.length === 0 ? '' : `, and beside it ${others.join(', ')}`;
}

async function lastHolder(database: Knex): Promise<string> {
  const lease = await database<LeaseRow>('leases')
    .where('name', CONNECTOR)
    .first()
    // The table may not exist yet; only the lock itself matters.
    .catch(() => undefined);
  return lease === undefined ? 'another process' : lease.holder;
}
