import { fileURLToPath } from 'node:url';
import { startErgo } from '../stack/ergo.ts';
import { freePort } from '../stack/free-port.ts';
import { startIdentityProvider } from '../stack/identity-provider.ts';
import { type ManagedProcess, startProcess } from '../stack/managed-process.ts';
import { startSoju } from '../stack/soju.ts';
import { waitFor } from '../stack/wait-for.ts';
import type { DemoFolder } from './folder.ts';
import type { OpenParts } from './open-parts.ts';
import { openScreen, type Screen } from './screen.ts';
import { Supervisor, type SupervisorEvents, type SupervisorOptions } from './supervisor.ts';

const HOST = '127.0.0.1';
const NETWORK = 'homeport';
const OWNER = 'ada';
const CHANNELS = ['#homeport', '#garden'];
/** Hosts for receivers of events on this machine, which people may write to try the demo. */
const CALLBACK_HOSTS = [HOST, 'localhost'];
const LEGACY_CLIENT_ID = 'legacy-actions';
const IDENTITY_PROVIDER_CLIENT_ID = 'homeport-connector';
const PROBE_DEADLINE_MS = 2_000;

/** Facts about the running demo for an outside client. Process ids change when a program is started again. */
export interface Stack {
  irc: { host: string; port: number; network: string };
  ergo: Running;
  soju: Running & { adminSocket: string };
  identityProvider: { issuer: string };
  connector: Running & { baseUrl: string; adminToken: string; database: string; legacyClient: LegacyClient };
  agent: Running & { baseUrl: string; token: string };
  termprog: Running & { screen: Screen };
  owner: string;
  users: string[];
  channels: string[];
  /** Loopback hosts that the connector delivers events to. */
  testCallbackHosts: string[];
}

interface Running {
  /** Process id of the program that runs now. */
  readonly pid: number;
}

interface LegacyClient {
  id: string;
  secret: string;
  redirectUri: string;
}

export interface StackOptions {
  folder: DemoFolder;
  /** X display of the person; undefined for a private one. */
  display: string | undefined;
  /** Shell in the terminal window; undefined for the person's own. */
  shell: string | undefined;
  /** Called when a part is up, with its description. */
  started(what: string): void;
  events: SupervisorEvents;
}

/** Starts the whole appliance on free loopback ports; everything opened is in `parts`, also when a later part fails. */
export async function startStack(options: StackOptions, parts: OpenParts): Promise<Stack> {
  const keep = async (what: string, supervised: SupervisorOptions): Promise<Running> => {
    const supervisor = await Supervisor.start(supervised, options.events);
    parts.add(() => supervisor.stop());
    options.started(what);
    return supervisor;
  };
  const screen = await openScreen(options.display, options.folder.at('screen'), parts);
  const ircPort = await freePort();
  const bouncerPort = await freePort();
  const { folder } = options;

  const ergo = await keep('ergo, the IRC server', {
    start: async () => (await startErgo({ folder: folder.at('ergo'), port: ircPort })).process,
    mayFinish: false,
  });
  let bouncer = { adminSocket: '', address: '' };
  const soju = await keep('soju, the bouncer', {
    start: async () => {
      const { adminSocket, address, process } = await startSoju({ folder: folder.at('soju'), ircPort: bouncerPort });
      bouncer = { adminSocket, address };
      return process;
    },
    mayFinish: false,
  });
  const connector = await startConnector(folder, keep, {
    ...bouncer,
    network: { name: NETWORK, address: `irc+insecure://${HOST}:${ircPort}` },
  });
  const agent = await startAgent(folder, keep);
  const termprog = await keep('termprog, the terminal', {
    start: async () => startTermprog(options, screen),
    mayFinish: true,
  });
  return {
    irc: { host: HOST, port: ircPort, network: NETWORK },
    ergo,
    soju: withPid(soju, { adminSocket: bouncer.adminSocket }),
    ...connector,
    agent,
    termprog: withPid(termprog, { screen }),
    owner: OWNER,
    users: [OWNER],
    channels: CHANNELS,
    testCallbackHosts: CALLBACK_HOSTS,
  };
}

type Keep = (what: string, supervised: SupervisorOptions) => Promise<Running>;

/** The facts of a part, with a process id that is current at each access. */
function withPid<T extends object>(running: Running, facts: T): Running & T {
  return {
    ...facts,
    get pid() {
      return running.pid;
    },
  };
}

const program = (name: string): string => fileURLToPath(new URL(`../../bin/${name}`, import.meta.url));

interface Bouncer {
  adminSocket: string;
  address: string;
  network: { name: string; address: string };
}

async function startConnector(
  folder: DemoFolder,
  keep: Keep,
  soju: Bouncer,
): Promise<Pick<Stack, 'connector' | 'identityProvider'>> {
  const port = await freePort();
  const identityProviderPort = await freePort();
  const baseUrl = `http://${HOST}:${port}`;
  const clientSecret = await folder.secret('identity-provider-secret');
  const adminToken = await folder.secret('admin-token');
  const legacySecret = await folder.secret('legacy-client-secret');
  const redirectUri = `http://${HOST}:${await freePort()}/legacy/callback`;
  const issuer = `http://${HOST}:${identityProviderPort}`;
  await keep('the development identity provider', {
    start: async () => {
      const started = await startIdentityProvider({
        folder: folder.at('identity-provider'),
        port: identityProviderPort,
        clientId: IDENTITY_PROVIDER_CLIENT_ID,
        clientSecret: clientSecret.value,
        redirectUri: `${baseUrl}/login/idp/callback`,
      });
      return started.process;
    },
    mayFinish: false,
  });
  const config = await folder.json('connector.json', {
    baseUrl,
    listen: { address: HOST, port, drainSeconds: 0 },
    stateDirectory: folder.at('connector'),
    ircChannels: CHANNELS,
    oauthRedirectUris: [redirectUri],
    legacyClient: { id: LEGACY_CLIENT_ID, secretFile: legacySecret.file },
    settings: { ownerLogins: [OWNER] },
    // The limit is high, because people may also measure the demo.
    rateLimits: { perClient: 1_000_000 },
    identityProvider: { oidc: { issuer, clientId: IDENTITY_PROVIDER_CLIENT_ID, clientSecretFile: clientSecret.file } },
    bouncer: { soju },
    events: { allowCallbackHosts: CALLBACK_HOSTS },
    adminTokenFile: adminToken.file,
  });
  const command = [program('homeport-connector'), 'run', '--config', config] as const;
  const running = await keep('the connector', {
    start: () => startService('connector', command, folder.at('connector.log'), baseUrl),
    mayFinish: false,
  });
  return {
    identityProvider: { issuer },
    connector: withPid(running, {
      baseUrl,
      adminToken: adminToken.value,
      database: folder.at('connector', 'connector.db'),
      legacyClient: { id: LEGACY_CLIENT_ID, secret: legacySecret.value, redirectUri },
    }),
  };
}

async function startAgent(folder: DemoFolder, keep: Keep): Promise<Stack['agent']> {
  const port = await freePort();
  const baseUrl = `http://${HOST}:${port}`;
  const token = await folder.secret('agent-token');
  const config = await folder.json('agent.json', {
    agent: { listen: { address: HOST, port }, tokenFile: token.file },
  });
  const command = [program('homeport-agent'), 'run', '--config', config] as const;
  const running = await keep('the agent', {
    start: () => startService('agent', command, folder.at('agent.log'), baseUrl),
    mayFinish: false,
  });
  return withPid(running, { baseUrl, token: token.value });
}

function startTermprog({ folder, shell }: StackOptions, screen: Screen): ManagedProcess {
  return startProcess({
    name: 'termprog',
    command: [program('termprog'), '-title', 'Homeport'],
    env: { ...screen.address, ...(shell === undefined ? {} : { SHELL: shell }) },
    logFile: folder.at('termprog.log'),
  });
}

/** Starts a service and waits until `/healthz` succeeds. */
async function startService(
  name: string,
  command: readonly [string, ...string[]],
  logFile: string,
  baseUrl: string,
): Promise<ManagedProcess> {
  const process = startProcess({ name, command, logFile });
  await waitFor(
    `${name} answers on ${baseUrl}/healthz`,
    async () => (await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(PROBE_DEADLINE_MS) })).ok,
    { process },
  );
  return process;
}
