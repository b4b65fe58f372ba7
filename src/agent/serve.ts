import type { Server } from 'node:http';
import type { AgentConfig } from '../../schemas/agent.ts';
import { systemClock } from '../kernel/clock.ts';
import { StartError } from '../kernel/errors.ts';
import { bearerToken } from '../kernel/http/bearer.ts';
import { closeServer, listen, listenInherited, listenUnix } from '../kernel/http/listen.ts';
import { inheritedSockets } from '../kernel/inherited-sockets.ts';
import { Lifecycle } from '../kernel/lifecycle.ts';
import type { ReloadOptions } from '../kernel/reload.ts';
import { readSecretFile } from '../kernel/secret-file.ts';
import { VERSION } from '../kernel/version.ts';
import { collectorOptions } from './collector-options.ts';
import { createCollectors } from './collectors/index.ts';
import { PeerNumbers } from './collectors/programs/peer-labels.ts';
import { useFewCompilers } from './few-compilers.ts';
import { endProcess } from './host/end-process.ts';
import type { OpenHost } from './host/host.ts';
import { createAgentServer } from './http/server.ts';
import { createLog } from './log.ts';
import { Collection } from './report/collection.ts';
import { SnapshotSource } from './report/snapshot-source.ts';
import { UnitStates } from './report/unit-states.ts';

/** How long requests under way may take after SIGTERM; longer than any collection. */
const CLOSE_DEADLINE_MS = 4_000;

/** Options that SIGHUP reloads: what is collected, but not who may ask for it, where, and in whose name. */
const SOFT_OPTIONS = [
  ...['unameInfo', 'networkFilesystems', 'wireguard', 'wgPeers', 'postfix', 'knot', 'knotSocket'].map(
    (name) => `agent.${name}`,
  ),
  'hosts.wgPeers',
];

/** Serves until a signal. @param load reads the configuration again @throws StartError */
export async function serve(
  config: AgentConfig,
  host: OpenHost,
  env: NodeJS.ProcessEnv,
  load: () => Promise<AgentConfig>,
): Promise<void> {
  const { agent } = config;
  const token = readToken(agent.tokenFile, env.CREDENTIALS_DIRECTORY);
  const log = createLog('homeport-agent', agent.logLevel);
  const clock = systemClock;
  const peerNumbers = new PeerNumbers();
  const newCollection = (by: AgentConfig): Collection =>
    new Collection({ host, collectors: createCollectors(collectorOptions(by), peerNumbers), clock, log });
  let collection = newCollection(config);
  const apply = (next: AgentConfig): void => {
    collection = newCollection(next);
  };
  reloadOnHangup({ started: config, load, soft: SOFT_OPTIONS, apply, log });
  const snapshots = new SnapshotSource(() => collection.run(), clock);
  const units = new UnitStates(host, clock);
  const newServer = (): Server => createAgentServer({ sources: { snapshots, units }, token, clock, log });
  const listeners = await listenAll(newServer, agent.listen, inheritedSockets(env));
  const lifecycle = new Lifecycle(log);
  // Added first and so done last, in place of the usual exit, which a hung system call would hold up for ever.
  lifecycle.add('process', () => {
    if (host.isHanging) endProcess(0, true);
  });
  lifecycle.add('host', () => host.close());
  for (const { server } of listeners) lifecycle.add('http', () => closeServer(server, CLOSE_DEADLINE_MS));
  lifecycle.endOnSignals();
  for (const { server } of listeners) useFewCompilers(server);
  for (const { where } of listeners) log.info({ ...where, version: VERSION }, 'listening');
}

/** What reads a file again is loaded when that is asked for. */
function reloadOnHangup(options: ReloadOptions<AgentConfig>): void {
  let reload: Promise<() => Promise<void>> | undefined;
  process.on('SIGHUP', () => {
    reload ??= import('../kernel/reload.ts').then(({ createReload }) => createReload(options));
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
  options: AgentConfig['agent']['listen'],
  inherited: readonly number[],
): Promise<Listener[]> {
  if (inherited.length > 0) {
    const servers = inherited.map((descriptor) => ({ server: newServer(), descriptor }));
    await Promise.all(servers.map(({ server, descriptor }) => listenInherited(server, descriptor)));
    return servers.map(({ server, descriptor }) => ({ server, where: { descriptor } }));
  }
  const server = newServer();
  if (options.unix !== undefined) {
    await listenUnix(server, options.unix, 'agent.listen.unix');
    return [{ server, where: { socket: options.unix } }];
  }
  const port = await listen(server, options, 'agent.listen');
  return [{ server, where: { address: options.address, port } }];
}

/** A token that no request could carry would lock everybody out without a word. */
function readToken(file: string, credentialsDirectory: string | undefined): string {
  const token = readSecretFile(file, 'agent.tokenFile', credentialsDirectory);
  if (bearerToken(`Bearer ${token}`) !== token) {
    throw new StartError(
      `agent.tokenFile: ${file} must hold one line of letters, digits and -._~+/ only: openssl rand -hex 32 makes one`,
    );
  }
  return token;
}
