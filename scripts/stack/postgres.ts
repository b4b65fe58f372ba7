import { appendFile, chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { freePort } from './free-port.ts';
import { type ManagedProcess, startProcess } from './managed-process.ts';
import { requireProgram } from './require-program.ts';
import { waitFor } from './wait-for.ts';

/** Debian keeps the server's programs of each version apart and out of PATH. */
const DEBIAN_PROGRAMS = '/usr/lib/postgresql';
const COMMAND_DEADLINE_MS = 120_000;

/** The server refuses to run as root, so it gets this account, which owns no files. */
const NOBODY = 65_534;
const UNPRIVILEGED = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'] as const;
const isRoot = process.getuid?.() === 0;

/** The only role that needs a password over the socket. */
export const PASSWORD_ROLE = 'asked';

export interface Postgres {
  /** Directory of its socket, which is a host for its clients. */
  socketDirectory: string;
  port: number;
  /** Certificate of the server for TLS. */
  certificate: string;
  /** Role that may do everything, without a password. */
  superuser: string;
  process: ManagedProcess;
  /** Ends it, as its service manager would. */
  stop(): Promise<void>;
  /** Kills it at once: clients get no message, and the server writes no further data. */
  crash(): Promise<void>;
}

/** Starts a real server of its own; called again with its folder and port, it is the same server with the same data. */
export async function startPostgres({ folder, port }: { folder: string; port?: number }): Promise<Postgres> {
  const data = join(folder, 'data');
  const programs = await findPrograms();
  const listenPort = port ?? (await freePort());
  if (port === undefined) await makeCluster(folder, data, programs);
  const process = startProcess({
    name: 'postgres',
    // The account changes first, because that change makes the kernel drop the parent-death signal.
    command: [
      ...(isRoot ? UNPRIVILEGED : []),
      ...['setpriv', '--pdeathsig', 'KILL', '--', join(programs, 'postgres'), '-D', data],
      ...['-p', String(listenPort), '-k', folder],
    ] as [string, ...string[]],
    cwd: folder,
    logFile: join(folder, 'postgres.log'),
  });
  const isReady = async () =>
    (await execa(join(programs, 'pg_isready'), ['-h', folder, '-p', String(listenPort)])).exitCode === 0;
  await waitFor('PostgreSQL takes connections', isReady, { process });
  const endBy = async (signal: NodeJS.Signals): Promise<void> => {
    process.kill(signal);
    await process.ended;
  };
  return {
    socketDirectory: folder,
    port: listenPort,
    certificate: join(folder, 'server.crt'),
    superuser: 'postgres',
    process,
    // With SIGTERM the server would wait for its clients.
    stop: () => endBy('SIGINT'),
    // SIGKILL would leave the processes of its clients behind for a while.
    crash: () => endBy('SIGQUIT'),
  };
}

async function makeCluster(folder: string, data: string, programs: string): Promise<void> {
  await mkdir(data, { recursive: true, mode: 0o700 });
  for (const path of [folder, data]) await giveToServer(path);
  // The cluster sorts naturally, so that code that relies on the order of bytes fails.
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'];
  await runAsServer(folder, [
    join(programs, 'initdb'),
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--no-sync',
    ...locale,
  ]);
  const certificate = ['-keyout', join(data, 'server.key'), '-out', join(folder, 'server.crt')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  await runAsServer(folder, ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...certificate, ...subject]);
  await appendFile(join(data, 'postgresql.conf'), SETTINGS);
  await writeFile(join(data, 'pg_hba.conf'), ACCESS);
}

/** The server's account gets a folder, if it is another one than this program's. */
export async function giveToServer(folder: string): Promise<void> {
  if (isRoot) await chown(folder, NOBODY, NOBODY);
}

/** Runs one of the server's programs under its account. */
export async function runAsServer(cwd: string, command: readonly string[]): Promise<void> {
  const [program, ...args] = [...(isRoot ? UNPRIVILEGED : []), ...command] as [string, ...string[]];
  await execa(program, args, { cwd, timeout: COMMAND_DEADLINE_MS });
}

/**
 * There is no fsync: this data need not survive a crash of the machine, and a crash of the server alone loses no data
 * without it. Statistics are updated within a second, not within a minute as elsewhere. Memory that its processes share
 * lies in the folder, so that it goes with it however the server ends.
 */
const SETTINGS = `
listen_addresses = '127.0.0.1'
ssl = on
ssl_cert_file = '../server.crt'
fsync = off
full_page_writes = off
shared_buffers = 32MB
max_connections = 200
dynamic_shared_memory_type = mmap
max_wal_size = 128MB
min_wal_size = 32MB
`;

const ACCESS = `
local all ${PASSWORD_ROLE} scram-sha-256
local all stranger reject
local all all trust
local replication postgres trust
host all all 127.0.0.1/32 scram-sha-256
`;

/** The directory of the server's programs, empty where they are on PATH. */
export async function findPrograms(): Promise<string> {
  const versions = await readdir(DEBIAN_PROGRAMS).catch(() => []);
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  if (newest !== undefined) return join(DEBIAN_PROGRAMS, newest, 'bin');
  await requireProgram('initdb');
  return '';
}
