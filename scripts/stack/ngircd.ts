import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { type IrcServer, listens } from './irc-server.ts';
import { startProcess } from './managed-process.ts';
import { requireProgram } from './require-program.ts';
import { waitFor } from './wait-for.ts';

const HOST = '127.0.0.1';

/** Another server of the same network. */
export interface NgircdPeer {
  name: string;
  /** Port of the other server; undefined when the other one connects. */
  port?: number;
}

export interface NgircdOptions {
  folder: string;
  port?: number;
  /** The server's name in its network. */
  name?: string;
  peer?: NgircdPeer;
}

/** Starts a real IRC server without IRCv3: no ids, no times, no tags, no echoes. Two of them can be one network. */
export async function startNgircd({
  folder,
  port,
  name = 'ng.homeport.test',
  peer,
}: NgircdOptions): Promise<IrcServer> {
  await requireProgram('ngircd');
  await mkdir(folder, { recursive: true });
  const listenPort = port ?? (await freePort());
  const config = join(folder, 'ngircd.conf');
  await writeFile(config, `${configOf(listenPort, name)}${peer === undefined ? '' : linkOf(peer)}`);
  const process = startProcess({
    name: 'ngircd',
    command: ['ngircd', '--nodaemon', '--config', config],
    cwd: folder,
    logFile: join(folder, 'ngircd.log'),
  });
  await waitFor(`ngircd listens on ${HOST} port ${listenPort}`, () => listens(HOST, listenPort), { process });
  return { host: HOST, port: listenPort, process };
}

/**
 * Configuration without a penalty for many lines and without look-ups that would wait for a network; a lost link is
 * restored at once.
 */
const configOf = (port: number, name: string): string => `[Global]
Name = ${name}
Info = a server without IRCv3
Listen = ${HOST}
Ports = ${port}
MotdPhrase = none
[Limits]
MaxNickLength = 32
MaxConnectionsIP = 0
MaxPenaltyTime = 0
ConnectRetry = 1
[Options]
DNS = no
Ident = no
PAM = no
`;

/** Configuration of a link; both ends are on the loopback address and know one password. */
const linkOf = ({ name, port }: NgircdPeer): string => `[Server]
Name = ${name}
Host = ${HOST}
${port === undefined ? 'Passive = yes' : `Port = ${port}`}
MyPassword = link
PeerPassword = link
`;
