import type { Knex } from 'knex';
import type { PostgresConnection } from 'knex/lib/dialects/postgres/index.js';
import { PROGRAM } from '../hold/application-name.ts';
import type { ConnectionsSeen } from './server.ts';

/**
 * Connections of a process beside its pool: heartbeats, notices, and one for a moment, such as a standby's look whether
 * it could take over.
 */
const BESIDE_POOL = 3;

interface Row {
  pid: number;
  server_max: number;
  reserved: number;
  role_max: number | null;
  database_max: number | null;
  others: number;
  is_open: boolean;
  is_writable: boolean;
}

/** Connections that only some roles may use; `reserved_connections` is there since PostgreSQL 16. */
const RESERVED = `CASE WHEN rolsuper THEN 0 ELSE
    current_setting('superuser_reserved_connections')::int + CASE WHEN EXISTS (
      SELECT 1 FROM pg_roles AS reserving WHERE rolname = 'pg_use_reserved_connections' AND pg_has_role(current_user, reserving.oid, 'USAGE')
    ) THEN 0 ELSE coalesce(current_setting('reserved_connections', true)::int, 0) END END`;

/**
 * Reads how many connections the server has for this program.
 * @param poolSize largest pool of each process
 */
export async function seeConnections(database: Knex, poolSize: number): Promise<ConnectionsSeen> {
  const connection = (await database.client.acquireConnection()) as PostgresConnection;
  try {
    const { rows }: { rows: Row[] } = await database
      .raw(
        `SELECT pg_backend_pid() AS pid, current_setting('max_connections')::int AS server_max, ${RESERVED} AS reserved,
           CASE WHEN rolconnlimit >= 0 AND NOT rolsuper THEN rolconnlimit END AS role_max,
           CASE WHEN datconnlimit >= 0 AND NOT rolsuper THEN datconnlimit END AS database_max,
           has_database_privilege('public', current_database(), 'CONNECT') AS is_open,
           has_schema_privilege('public', current_schema(), 'CREATE') AND EXISTS (
             SELECT 1 FROM pg_roles AS another WHERE rolcanlogin AND NOT rolsuper AND rolname <> current_user
           ) AS is_writable,
           (SELECT count(*) FROM pg_stat_activity
            WHERE usesysid IS NOT NULL AND NOT starts_with(application_name, ?)) AS others
         FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
        [PROGRAM],
      )
      .connection(connection);
    const [row] = rows;
    if (row === undefined) throw new Error('the server does not say how many connections it has');
    const limits = [row.server_max - row.reserved - row.others, row.role_max, row.database_max];
    return {
      perProcess: poolSize + BESIDE_POOL,
      inTakeover: poolSize,
      room: Math.max(0, Math.min(...limits.filter((limit) => limit !== null))),
      max: row.server_max,
      reserved: row.reserved,
      others: row.others,
      roleMax: row.role_max ?? undefined,
      databaseMax: row.database_max ?? undefined,
      isOpenToAll: row.is_open,
      isWritableByAll: row.is_open && row.is_writable,
      // A pooler gives its clients numbers of its own.
      isPooled: connection.processID !== row.pid,
    };
  } finally {
    await database.client.releaseConnection(connection);
  }
}
