import { access, chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../scripts/stack/free-port.ts';
import { startProcess } from '../../scripts/stack/managed-process.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import type { PostgresAddress } from './administer.ts';

/** Runs as this account, because it refuses to run as root. */
const NOBODY = '65534';
const UNPRIVILEGED = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'];

export interface PgBouncer extends AsyncDisposable {
  /** Directory of its socket, which is a host for its clients. */
  host: string;
  port: number;
}

/** Debian's PgBouncer before a server, configured as its manual begins, and by further settings. */
export async function startPgBouncer(
  folder: string,
  server: PostgresAddress,
  poolMode: 'session' | 'transaction',
  settings: readonly string[] = [],
): Promise<PgBouncer> {
  const port = await freePort();
  const [configFile, usersFile] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  await chmod(folder, 0o777);
  await writeFile(usersFile, `"${server.superuser}" ""\n`);
  await writeFile(
    configFile,
    `[databases]
* = host=${server.host} port=${server.port}
[pgbouncer]
pool_mode = ${poolMode}
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir = ${folder}
auth_type = trust
auth_file = ${usersFile}
max_client_conn = 200
${settings.join('\n')}
`,
  );
  const asRoot = process.getuid?.() === 0;
  const command = ['/usr/sbin/pgbouncer', configFile];
  const pooler = startProcess({
    name: 'pgbouncer',
    command: (asRoot ? [...UNPRIVILEGED, ...command] : command) as [string, ...string[]],
  });
  const isThere = () => access(join(folder, `.s.PGSQL.${port}`)).then(() => true);
  await waitFor('PgBouncer takes connections', isThere, { process: pooler });
  return { host: folder, port, [Symbol.asyncDispose]: () => pooler.stop() };
}
