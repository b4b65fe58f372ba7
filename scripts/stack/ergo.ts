import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { freePort } from './free-port.ts';
import { type IrcServer, listens } from './irc-server.ts';
import { startProcess } from './managed-process.ts';
import { requireProgram } from './require-program.ts';
import { waitFor } from './wait-for.ts';

const HOST = '127.0.0.1';
const INIT_DEADLINE_MS = 120_000;

export type Ergo = IrcServer;

export interface ErgoOptions {
  folder: string;
  port?: number;
  /** A client may become operator as `root` with the password `operator`. */
  hasOperator?: boolean;
  /** The server requires a password that no client knows. */
  isClosed?: boolean;
  /** People may register accounts, and an operator may suspend them. */
  hasAccounts?: boolean;
  /** A further port that is encrypted, and where clients may show a certificate. */
  tls?: { port: number; key: string; cert: string };
  /** The longest nick it takes. */
  nickLength?: number;
  /** A second port for a proxy that announces its clients' addresses: bans do not apply to the loopback address. */
  proxiedPort?: number;
}

/** Starts a real IRC server with one plain loopback listener; called again with its folder and port, it is the same server. */
export async function startErgo(options: ErgoOptions): Promise<Ergo> {
  const { folder, port } = options;
  await requireProgram('ergochat');
  await mkdir(folder, { recursive: true });
  const listenPort = port ?? (await freePort());
  const config = join(folder, 'ergo.yaml');
  if (options.tls !== undefined) {
    await writeFile(join(folder, 'tls.key'), options.tls.key, { mode: 0o600 });
    await writeFile(join(folder, 'tls.crt'), options.tls.cert);
  }
  await writeFile(config, configOf(options, listenPort), { mode: 0o600 });
  if (!existsSync(join(folder, 'ergo.db'))) {
    await execa('ergochat', ['initdb', '--conf', config, '--quiet'], { cwd: folder, timeout: INIT_DEADLINE_MS });
  }
  const process = startProcess({
    name: 'ergo',
    command: ['ergochat', 'run', '--conf', config],
    cwd: folder,
    logFile: join(folder, 'ergo.log'),
  });
  await waitFor(`ergo listens on ${HOST} port ${listenPort}`, () => listens(HOST, listenPort), { process });
  return { host: HOST, port: listenPort, process };
}

/** The hash is of the password `operator`: this server listens on loopback, and only tests use it, to kick and ban. */
const OPERATOR = `oper-classes:
    everything:
        title: Operator
        capabilities: [kill, ban, accreg]
opers:
    root:
        class: everything
        password: $2a$04$iIyb0XFoJlP5LUxcwGFLFeKEeqT5FKd6QGpy0IElztTjUE91WbWkO`;

/** Hash of a random password. */
const UNKNOWN_PASSWORD = '$2a$04$iIyb0XFoJlP5LUxcwGFLFeKEeqT5FKd6QGpy0IElztTjUE91WbWkP';

const proxiedListener = (port: number): string => `        "${HOST}:${port}":
            proxy: true
    proxy-allowed-from: [localhost]`;

const tlsListener = (folder: string, port: number): string => `        "${HOST}:${port}":
            tls:
                cert: ${JSON.stringify(join(folder, 'tls.crt'))}
                key: ${JSON.stringify(join(folder, 'tls.key'))}
`;

/**
 * Configuration without limits that would hit many clients from one address, and without a lock file, which would stop
 * a restart after SIGKILL; ASCII casemapping, because the default (PRECIS) is known to no bouncer.
 */
const configOf = (
  {
    folder,
    hasOperator = false,
    isClosed = false,
    hasAccounts = false,
    tls,
    nickLength = 32,
    proxiedPort,
  }: ErgoOptions,
  port: number,
): string => `network:
    name: Homeport
server:
    name: irc.homeport.test
    listeners:
        "${HOST}:${port}": {}
${tls === undefined ? '' : tlsListener(folder, tls.port)}${proxiedPort === undefined ? '' : proxiedListener(proxiedPort)}
${isClosed ? `    password: ${UNKNOWN_PASSWORD}` : ''}
    casemapping: ascii
    enforce-utf8: true
    lookup-hostnames: false
    forward-confirm-hostnames: false
    check-ident: false
    relaymsg:
        enabled: false
    max-sendq: 1M
    ip-cloaking:
        enabled: false
    ip-limits:
        count: false
        throttle: false
    lock-file: ""
accounts:
    authentication-enabled: true
    registration:
        enabled: ${hasAccounts}
        bcrypt-cost: 4
    multiclient:
        enabled: false
channels:
    default-modes: +nt
    registration:
        enabled: false
${hasOperator ? OPERATOR : 'oper-classes: {}\nopers: {}'}
logging:
    - method: stderr
      type: "* -userinput -useroutput"
      level: warn
datastore:
    path: ${JSON.stringify(join(folder, 'ergo.db'))}
    autoupgrade: true
languages:
    enabled: false
limits:
    nicklen: ${nickLength}
    identlen: 20
    channellen: 64
    awaylen: 390
    kicklen: 390
    topiclen: 390
    whowas-entries: 100
    monitor-entries: 100
    chan-list-modes: 60
    registration-messages: 1024
fakelag:
    enabled: false
history:
    enabled: true
    channel-length: 2048
    client-length: 256
    autoreplay-on-join: 0
    chathistory-maxmessages: 1000
    restrictions:
        expire-time: 1w
        query-cutoff: none
`;
