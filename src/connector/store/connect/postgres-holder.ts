import type { Knex } from 'knex';
import { applicationName, PROGRAM } from '../hold/application-name.ts';
import { SLOT } from '../hold/process-rows.ts';
import { WHOLE_DATABASE } from './postgres-claim.ts';
import type { HolderSeen } from './server.ts';

/** Most sessions that are examined: each waiting process has one. */
const SESSIONS_MAX = 100;

interface Session {
  pid: number;
  role: string | null;
  application: string | null;
  address: string | null;
}

interface ProcessRow {
  process_id: string;
  name: string;
  has_slot: boolean;
}

/** Describes the session that holds the lock of the whole database. Any role that may connect can take it. */
export async function describeHolder(database: Knex): Promise<HolderSeen | undefined> {
  const { rows }: { rows: Session[] } = await database.raw(
    `SELECT pid, usename AS role, application_name AS application, host(client_addr) AS address
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND classid = ? AND objid = ? AND objsubid = 2
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     ORDER BY backend_start LIMIT ${SESSIONS_MAX}`,
    [...WHOLE_DATABASE],
  );
  const processes = await processesOf(database);
  // Waiting processes share the lock with the one that has the slot.
  const [found] = rows
    .map((session) => ({ session, process: processOf(session, processes) }))
    .toSorted((one, other) => Number(other.process?.has_slot ?? false) - Number(one.process?.has_slot ?? false));
  if (found === undefined) return undefined;
  const { session, process } = found;
  return {
    session: describe(session),
    process: process?.name,
    isConnector: session.application?.startsWith(PROGRAM) ?? false,
  };
}

const processOf = ({ application }: Session, processes: readonly ProcessRow[]): ProcessRow | undefined =>
  processes.find(({ process_id: processId }) => application?.startsWith(applicationName(processId)) === true);

/** Returns the processes; empty in a database of an earlier version, which has no such tables. */
async function processesOf(database: Knex): Promise<ProcessRow[]> {
  if (!(await database.schema.hasTable('slots'))) return [];
  return database('processes').select(
    'process_id',
    'name',
    database.raw('process_id = (SELECT process_id FROM slots WHERE slot = ?) IS TRUE AS has_slot', [SLOT]),
  );
}

function describe({ pid, role, application, address }: Session): string {
  const from = address === null ? '' : ` from ${address}`;
  return `backend ${pid} of role ${role ?? '?'}, application ${application || '?'}${from}`;
}
