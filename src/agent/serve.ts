import type { Server } from 'node:http';
import type { AgentConfig } from '../../schemas/agent.ts';
import { systemClock } from '../kernel/clock.ts';
import type { ReloadOptions, SecretSource, Secrets } from '../kernel/config/reload.ts';
import { readSecretFile } from '../kernel/config/secret-file.ts';
import { endProcess } from '../kernel/end-process.ts';
import { StartError } from '../kernel/errors.ts';
import type { HeldSignals } from '../kernel/held-signals.ts';
import { bearerToken, secretMatcher } from '../kernel/http/bearer.ts';
import { closeServer, listen, listenInherited, listenUnix } from '../kernel/http/listen.ts';
import { Lifecycle } from '../kernel/lifecycle.ts';
import { createLog, logWritten } from '../kernel/log.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ServiceManager } from '../kernel/systemd/notify.ts';
import { VERSION } from '../kernel/version.ts';
import { Collection } from './collection/collection.ts';
import { SnapshotSource } from './collection/snapshot-source.ts';
import { openCollectors } from './collectors/index.ts';
import type { OpenHost } from './host/host.ts';
import { inheritedSockets } from './host/inherited-sockets.ts';
import { createAgentServer } from './http/server.ts';
import { stopOptimizing } from './http/stop-optimizing.ts';
import { UnitStates } from './units/unit-states.ts';

/** How long requests under way may take after SIGTERM: longer than a collection, within the time a program may take to end. */
const CLOSE_DEADLINE_MS = 8_000;

const TOKEN_OPTION = 'agent.tokenFile';

interface ServeOptions {
  config: AgentConfig;
  /** From the root directory. */
  configFile: string;
  /** Reads the configuration again. */
  load: ReloadOptions<AgentConfig>['load'];
  signals: HeldSignals;
  manager: ServiceManager;
}

/** Serves until a signal. @throws StartError */
export async function serve(
  { config, configFile, load, signals, manager }: ServeOptions,
  host: OpenHost,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { agent } = config;
  const token = readToken(agent.tokenFile, env.CREDENTIALS_DIRECTORY);
  const log = createLog('homeport-agent', agent.logLevel);
  const clock = systemClock;
  const collectorsFor = openCollectors();
  const collection = new Collection({ host, collectors: collectorsFor(config), clock, log });
  const snapshots = new SnapshotSource(() => collection.run(), clock);
  const units = new UnitStates(host, clock);
  // A reload may bring another one.
  let matches = secretMatcher(token);
  const isToken = (presented: string | undefined): boolean => matches(presented);
  const newServer = (): Server => {
    const server = createAgentServer({ sources: { snapshots, units }, isToken, clock, log });
    stopOptimizing(server);
    return server;
  };
  const listeners = await listenAll(newServer, { options: agent.listen, inherited: inheritedSockets(env), log });
  const lifecycle = new Lifecycle(log, (status) => endProcess(status, host.isHanging));
  lifecycle.add('log', () => logWritten(log));
  lifecycle.add('host', () => host.close());
  lifecycle.add('http', async () => {
    await Promise.all(listeners.map(({ server }) => closeServer(server, CLOSE_DEADLINE_MS)));
  });
  lifecycle.endOnSignals(signals);
  for (const { where } of listeners) log.info({ ...where, version: VERSION }, 'listening');
  const apply = (next: AgentConfig, { [TOKEN_OPTION]: secret }: Secrets): void => {
    collection.use(collectorsFor(next));
    if (secret !== undefined) matches = secretMatcher(secret);
  };
  const secrets: SecretSource<AgentConfig> = {
    started: { [TOKEN_OPTION]: token },
    read: (next) => ({ [TOKEN_OPTION]: readToken(next.agent.tokenFile, env.CREDENTIALS_DIRECTORY) }),
    soft: [TOKEN_OPTION],
  };
  await manager.ready();
  const loadAnswering = afterLook(load, host, [configFile, agent.tokenFile]);
  reloadOnHangup(signals, { started: config, load: loadAnswering, apply, secrets, manager, log });
}

/** Reads on this thread what is on a mount that answers, at most: one that hangs leaves the configuration in force, and the agent served. */
function afterLook(
  load: ServeOptions['load'],
  host: Pick<OpenHost, 'mustAnswer'>,
  [configFile, tokenFile]: readonly [string, string],
): ServeOptions['load'] {
  // Files of the service manager are in memory, and have no path of their own here.
  const look = async (file: string): Promise<void> => (file.startsWith('$') ? undefined : host.mustAnswer(file));
  return async () => {
    await look(configFile);
    const loaded = await load();
    for (const file of new Set([tokenFile, loaded.value.agent.tokenFile])) await look(file);
    return loaded;
  };
}

/** What reads a file again is loaded when that is asked for. */
function reloadOnHangup(signals: HeldSignals, options: ReloadOptions<AgentConfig>): void {
  let reload: Promise<() => Promise<void>> | undefined;
  signals.onHangup(() => {
    reload ??= import('../kernel/config/reload.ts').then(({ createReload }) => createReload(options));
    void reload.then((run) => run());
  });
}

interface Listener {
  server: Server;
  /** For the log. */
  where: object;
}

/** Sockets that systemd passed are all there is to listen on: their unit says where. */
async function listenAll(
  newServer: () => Server,
  { options, inherited, log }: { options: AgentConfig['agent']['listen']; inherited: readonly number[]; log: Logger },
): Promise<Listener[]> {
  if (inherited.length > 0) {
    const servers = inherited.map((descriptor) => ({ server: newServer(), descriptor }));
    await Promise.all(servers.map(({ server, descriptor }) => listenInherited(server, descriptor, log)));
    return servers.map(({ server, descriptor }) => ({ server, where: { descriptor } }));
  }
  const server = newServer();
  if (options.unix !== undefined) {
    await listenUnix(server, options.unix, { option: 'agent.listen.unix', log });
    return [{ server, where: { socket: options.unix } }];
  }
  const port = await listen(server, options, { option: 'agent.listen', log });
  return [{ server, where: { address: options.address, port } }];
}

/** A token that no request could carry would lock everybody out without a word. */
function readToken(file: string, credentialsDirectory: string | undefined): string {
  const token = readSecretFile(file, TOKEN_OPTION, credentialsDirectory);
  if (bearerToken(`Bearer ${token}`) !== token) {
    throw new StartError(
      `agent.tokenFile: ${file} must hold one line of letters, digits and -._~+/ only: openssl rand -hex 32 makes one`,
    );
  }
  return token;
}
