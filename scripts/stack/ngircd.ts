import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { type IrcServer, listens } from './irc-server.ts';
import { startProcess } from './managed-process.ts';
import { requireProgram } from './require-program.ts';
import { waitFor } from './wait-for.ts';

const HOST = '127.0.0.1';

/** Starts a real IRC server that has none of IRCv3: no ids, no times, no tags, no echoes. */
export async function startNgircd({ folder, port }: { folder: string; port?: number }): Promise<IrcServer> {
  await requireProgram('ngircd');
  await mkdir(folder, { recursive: true });
  const listenPort = port ?? (await freePort());
  const config = join(folder, 'ngircd.conf');
  await writeFile(config, configOf(listenPort));
  const process = startProcess({
    name: 'ngircd',
    command: ['ngircd', '--nodaemon', '--config', config],
    cwd: folder,
    logFile: join(folder, 'ngircd.log'),
  });
  await waitFor(`ngircd listens on ${HOST} port ${listenPort}`, () => listens(HOST, listenPort), { process });
  return { host: HOST, port: listenPort, process };
}

/** No penalty for many lines, no look-ups that would wait for a network. */
const configOf = (port: number): string => `[Global]
Name = ng.homeport.test
Info = a server without IRCv3
Listen = ${HOST}
Ports = ${port}
MotdPhrase = none
[Limits]
MaxNickLength = 32
MaxConnectionsIP = 0
MaxPenaltyTime = 0
[Options]
DNS = no
Ident = no
PAM = no
`;
