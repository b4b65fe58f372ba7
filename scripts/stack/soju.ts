import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { freePort } from './free-port.ts';
import { type ManagedProcess, startProcess } from './managed-process.ts';
import { requireProgram } from './require-program.ts';
import { waitFor } from './wait-for.ts';

const STATUS_DEADLINE_MS = 30_000;

export interface Soju {
  adminSocket: string;
  /** Address for IRC clients, in the form of the connector's configuration. */
  address: string;
  ircPort: number;
  process: ManagedProcess;
}

export interface SojuOptions {
  folder: string;
  ircPort?: number;
  /** IRC clients connect to a Unix socket instead of a port. */
  onSocket?: boolean;
  /** Certificates of authorities that its networks' servers may be signed by, in PEM; default: those of the system. */
  authorities?: string;
  /** Its message store; only `db` can replay exactly. */
  messageStore?: 'db' | 'memory' | 'fs';
}

/** Starts a real bouncer; called again with its folder and port, it is the same bouncer with the same data. */
export async function startSoju({
  folder,
  ircPort,
  onSocket = false,
  authorities,
  messageStore = 'db',
}: SojuOptions): Promise<Soju> {
  await requireProgram('soju');
  await requireProgram('sojuctl');
  await mkdir(folder, { recursive: true });
  const port = ircPort ?? (await freePort());
  const adminSocket = join(folder, 'admin.sock');
  const ircSocket = join(folder, 'irc.sock');
  const address = onSocket ? `unix://${ircSocket}` : `irc+insecure://127.0.0.1:${port}`;
  const config = join(folder, 'soju.conf');
  await writeFile(config, configOf({ folder, adminSocket, address, messageStore }), { mode: 0o600 });
  // soju leaves its sockets behind when it is killed, and then refuses to start.
  await Promise.all([adminSocket, ircSocket].map((socket) => rm(socket, { force: true })));
  const process = startProcess({
    name: 'soju',
    command: ['soju', '-config', config],
    cwd: folder,
    logFile: join(folder, 'soju.log'),
    ...(authorities === undefined ? {} : { env: { SSL_CERT_FILE: authorities } }),
  });
  await waitFor('soju answers on its admin socket', () => answers(config), { process });
  return { adminSocket, address, ircPort: port, process };
}

async function answers(config: string): Promise<boolean> {
  await execa('sojuctl', ['-config', config, 'server', 'status'], { timeout: STATUS_DEADLINE_MS });
  return true;
}

interface Places {
  folder: string;
  adminSocket: string;
  address: string;
  messageStore: string;
}

/**
 * Configuration. `message-store db` keeps times to the millisecond and the message ids, which are needed to recognize
 * replayed lines.
 */
const configOf = ({ folder, adminSocket, address, messageStore }: Places): string => `listen ${address}
listen unix+admin://${adminSocket}
hostname bouncer.homeport.test
title Homeport
db sqlite3 ${join(folder, 'soju.db')}
message-store ${messageStore === 'fs' ? `fs ${join(folder, 'messages')}` : messageStore}
max-user-networks 1
auth internal
`;
