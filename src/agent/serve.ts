import type { AgentConfig } from '../../schemas/agent.ts';
import { systemClock } from '../kernel/clock.ts';
import type { ReloadOptions, SecretSource, Secrets } from '../kernel/config/reload.ts';
import { endProcess } from '../kernel/end-process.ts';
import type { HeldSignals } from '../kernel/held-signals.ts';
import { secretMatcher } from '../kernel/http/bearer.ts';
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
import { type AgentServer, createAgentServer } from './http/server.ts';
import { stopOptimizing } from './http/stop-optimizing.ts';
import { whenAddressIsThere } from './http/when-address-is-there.ts';
import { readToken, TOKEN_OPTION } from './token.ts';
import { UnitStates } from './units/unit-states.ts';

/**
 * Deadline for pending requests after SIGTERM: longer than a collection, shorter than the time a program may take to
 * end.
 */
const CLOSE_DEADLINE_MS = 8_000;

interface ServeOptions {
  config: AgentConfig;
  /** Absolute path of the configuration. */
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
  // A reload may replace it.
  let matches = secretMatcher(token);
  const isToken = (presented: string | undefined): boolean => matches(presented);
  const newServer = (): AgentServer => {
    const created = createAgentServer({ sources: { snapshots, units }, isToken, clock, log });
    stopOptimizing(created.server);
    return created;
  };
  const inherited = inheritedSockets(env);
  const listeners = await whenAddressIsThere(() => listenAll(newServer, { options: agent.listen, inherited, log }), {
    manager,
    clock,
    log,
  });
  const lifecycle = new Lifecycle(log, (status) => {
    // After a deadline or a second signal the host is still open, and its commands would outlive this process.
    host.close();
    endProcess(status, host.isHanging);
  });
  lifecycle.add('log', () => logWritten(log));
  lifecycle.add('host', () => host.close());
  lifecycle.add('http', async () => {
    const closed = listeners.map(({ server }) => closeServer(server, CLOSE_DEADLINE_MS));
    for (const { hurry } of listeners) hurry();
    await Promise.all(closed);
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

/**
 * Wraps `load` so that it reads files only after their mounts have answered. If one hangs, the old configuration stays
 * in force and the agent keeps serving.
 */
function afterLook(
  load: ServeOptions['load'],
  host: Pick<OpenHost, 'mustBeRead'>,
  [configFile, tokenFile]: readonly [string, string],
): ServeOptions['load'] {
  // Credentials of systemd are in memory, and their paths begin with a variable.
  const look = async (file: string): Promise<void> => (file.startsWith('$') ? undefined : host.mustBeRead(file));
  return async () => {
    await look(configFile);
    const loaded = await load();
    for (const file of new Set([tokenFile, loaded.value.agent.tokenFile])) await look(file);
    return loaded;
  };
}

/** The module that reloads is imported at the first SIGHUP, so that a start does not pay for it. */
function reloadOnHangup(signals: HeldSignals, options: ReloadOptions<AgentConfig>): void {
  let reload: Promise<() => Promise<void>> | undefined;
  signals.onHangup(() => {
    reload ??= import('../kernel/config/reload.ts').then(({ createReload }) => createReload(options));
    void reload.then((run) => run());
  });
}

interface Listener extends AgentServer {
  /** Address for the log. */
  where: object;
}

/**
 * Listens on the sockets that systemd passed, whose unit names their addresses; otherwise on the configured address.
 */
async function listenAll(
  newServer: () => AgentServer,
  { options, inherited, log }: { options: AgentConfig['agent']['listen']; inherited: readonly number[]; log: Logger },
): Promise<Listener[]> {
  if (inherited.length > 0) {
    const servers = inherited.map((descriptor) => ({ ...newServer(), where: { descriptor } }));
    await Promise.all(servers.map(({ server, where: { descriptor } }) => listenInherited(server, descriptor, log)));
    return servers;
  }
  const created = newServer();
  if (options.unix !== undefined) {
    await listenUnix(created.server, options.unix, { option: 'agent.listen.unix', log });
    return [{ ...created, where: { socket: options.unix } }];
  }
  const port = await listen(created.server, options, { option: 'agent.listen', log });
  return [{ ...created, where: { address: options.address, port } }];
}
