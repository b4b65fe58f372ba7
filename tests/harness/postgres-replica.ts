import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../scripts/stack/free-port.ts';
import { findPrograms, giveToServer, type Postgres, runAsServer, startPostgres } from '../../scripts/stack/postgres.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { administer } from './administer.ts';

/** Whether the server confirms a commit before the replica has it. */
export type ReplicaKind = 'asynchronous' | 'synchronous';

/** A server that follows another one. */
export interface Replica {
  server: Postgres;
  /** Follows no more: what is committed from now on is lost to it. */
  lag(): Promise<void>;
  /** Becomes a server of its own. */
  promote(): Promise<void>;
}

/** Starts a replica of a server. */
export async function startReplica(
  primary: Postgres,
  folder: string,
  kind: ReplicaKind = 'asynchronous',
): Promise<Replica> {
  const data = join(folder, 'data');
  const from = ['-h', primary.socketDirectory, '-p', String(primary.port), '-U', primary.superuser];
  const how = ['-D', data, '--checkpoint=fast', '--wal-method=stream', '--write-recovery-conf', '--no-sync'];
  await giveToServer(folder);
  await runAsServer(folder, [join(await findPrograms(), 'pg_basebackup'), ...from, ...how]);
  await copyFile(primary.certificate, join(folder, 'server.crt'));
  const server = await startPostgres({ folder, port: await freePort() });
  if (kind === 'synchronous') await waitForReplicas(primary);
  const address = { host: server.socketDirectory, port: server.port, superuser: server.superuser };
  return {
    server,
    lag: async () => {
      await administer(address, `ALTER SYSTEM SET primary_conninfo = ''`);
      await administer(address, 'SELECT pg_reload_conf()');
      await waitFor('the replica follows no more', async () => {
        const rows = await administer(address, 'SELECT 1 FROM pg_stat_wal_receiver');
        return rows.length === 0;
      });
    },
    promote: async () => {
      await administer(address, 'SELECT pg_promote()');
    },
  };
}

/** From now on the server confirms no commit that a replica does not have. */
async function waitForReplicas({ socketDirectory: host, port, superuser }: Postgres): Promise<void> {
  const address = { host, port, superuser };
  await administer(address, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await administer(address, 'SELECT pg_reload_conf()');
  await waitFor('the replica is synchronous', async () => {
    const rows = await administer(address, `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`);
    return rows.length > 0;
  });
}
