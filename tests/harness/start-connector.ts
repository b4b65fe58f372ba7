import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ergo, startErgo } from '../../scripts/stack/ergo.ts';
import { freePort } from '../../scripts/stack/free-port.ts';
import { type IdentityProvider, startIdentityProvider } from '../../scripts/stack/identity-provider.ts';
import { type ManagedProcess, startProcess } from '../../scripts/stack/managed-process.ts';
import { type Soju, type SojuOptions, startSoju } from '../../scripts/stack/soju.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { CookieBrowser } from './cookie-browser.ts';
import { type IrcProxy, startIrcProxy } from './irc-proxy.ts';
import { tempFolder } from './temp-folder.ts';
import { type TestDatabase, testDatabase } from './test-database.ts';

export const ADMIN_TOKEN = 'admin-token-of-the-tests';
export const LEGACY_CLIENT = {
  id: 'legacy-action-client',
  secret: 'legacy-secret-of-the-tests',
  redirectUri: 'https://actions.example/callback',
};
/** The connector, as the identity provider knows it. */
export const IDP_CLIENT = { clientId: 'connector', clientSecret: 'secret-at-the-identity-provider' };

/** The real connector program before a real bouncer, IRC server and identity provider, all its own. */
export interface ConnectorStack extends AsyncDisposable {
  baseUrl: string;
  folder: string;
  configFile: string;
  database: TestDatabase;
  ergo: Ergo;
  soju: Soju;
  identityProvider: IdentityProvider;
  connector: ManagedProcess;
  /** Starts the connector again, with the same configuration and data. */
  restartConnector(): Promise<void>;
  restartSoju(): Promise<void>;
  /** Ends a part by SIGKILL, as a crash would. */
  kill(part: 'connector' | 'soju' | 'ergo'): Promise<void>;
  /** Starts a part that was killed, with the same ports and data. */
  revive(part: 'connector' | 'soju' | 'ergo'): Promise<void>;
  /** Starts the connector again while the bouncer is down. */
  restartWithoutSoju(): Promise<void>;
  /** A browser in which a person is signed in, at the settings page. */
  signIn(login: string): Promise<CookieBrowser>;
  invite(login: string, channels?: readonly string[]): Promise<Response>;
}

export interface StackOptions {
  /** Starts the IRC server; ergo by default. */
  startServer?: typeof startErgo;
  /** The connector reaches the bouncer by a Unix socket. */
  onSocket?: boolean;
  /** Options at the top of the configuration, in place of those of the tests. */
  config?: Record<string, unknown>;
  /** The connector's database; by default its own one, of the kind that the tests run on. */
  database?: TestDatabase;
  /** The server sets no pace: the IRC server announces it to the bouncer, the configuration to the connector. */
  isUnpaced?: boolean;
  /** Certificates of authorities that the bouncer believes, in PEM. */
  authorities?: string;
  /** The store in which the bouncer keeps messages. */
  messageStore?: SojuOptions['messageStore'];
  /** Stands before the bouncer's port; returns the port the connector is to take. */
  wrapBouncer?: (port: number) => Promise<number>;
  /** Options of the bouncer in the configuration. */
  bouncer?: Record<string, unknown>;
}

export async function startConnectorStack({
  startServer = startErgo,
  onSocket = false,
  config = {},
  isUnpaced = false,
  database: given,
  authorities,
  messageStore = 'db',
  wrapBouncer,
  bouncer = {},
}: StackOptions = {}): Promise<ConnectorStack> {
  const trusted = authorities === undefined ? {} : { authorities };
  const folder = await tempFolder();
  const database = given ?? (await testDatabase(folder.path));
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const [ergo, soju, identityProvider] = await Promise.all([
    startServer({ folder: join(folder.path, 'ergo') }),
    startSoju({ folder: join(folder.path, 'soju'), onSocket, messageStore, ...trusted }),
    startIdentityProvider({
      folder: join(folder.path, 'idp'),
      ...IDP_CLIENT,
      redirectUri: `${baseUrl}/login/idp/callback`,
    }),
  ]);
  const unpaced = isUnpaced ? await announceSafeRate(ergo.port) : undefined;
  const configFile = await writeConfig(folder.path, {
    baseUrl,
    // A test does not wait for proxies that are not there.
    listen: { port, drainSeconds: 0 },
    stateDirectory: join(folder.path, 'state'),
    ircChannels: ['#room', '#Ops', '#third'],
    oauthRedirectUris: [LEGACY_CLIENT.redirectUri],
    legacyClient: { id: LEGACY_CLIENT.id, secretFile: await secretFile(folder.path, 'legacy', LEGACY_CLIENT.secret) },
    settings: { ownerLogins: ['ada'], maxUsers: 3 },
    // Tests poll until a condition is true.
    rateLimits: { perClient: 1_000_000, perAddress: 100_000 },
    identityProvider: {
      oidc: {
        issuer: identityProvider.issuer,
        clientId: IDP_CLIENT.clientId,
        clientSecretFile: await secretFile(folder.path, 'idp-client', IDP_CLIENT.clientSecret),
      },
    },
    bouncer: {
      soju: {
        adminSocket: soju.adminSocket,
        address:
          wrapBouncer === undefined ? soju.address : `irc+insecure://127.0.0.1:${await wrapBouncer(soju.ircPort)}`,
        ...bouncer,
        network: {
          name: 'main',
          address: `irc+insecure://${ergo.host}:${unpaced?.port ?? ergo.port}`,
          unpaced: isUnpaced,
        },
      },
    },
    database: database.config,
    adminTokenFile: await secretFile(folder.path, 'admin', ADMIN_TOKEN),
    ...config,
  });
  const stack: ConnectorStack = {
    baseUrl,
    folder: folder.path,
    configFile,
    database,
    ergo,
    soju,
    identityProvider,
    connector: await startConnectorProcess(configFile, baseUrl),
    restartConnector: async () => {
      await stack.connector.stop();
      stack.connector = await startConnectorProcess(configFile, baseUrl);
    },
    restartSoju: async () => {
      await stack.soju.process.stop();
      stack.soju = await startSoju({
        folder: join(folder.path, 'soju'),
        ircPort: soju.ircPort,
        onSocket,
        messageStore,
        ...trusted,
      });
    },
    kill: async (part) => {
      const { [part]: process } = { connector: stack.connector, soju: stack.soju.process, ergo: stack.ergo.process };
      process.kill('SIGKILL');
      await process.ended;
    },
    revive: async (part) => {
      if (part === 'connector') stack.connector = await startConnectorProcess(configFile, baseUrl);
      else if (part === 'soju') {
        stack.soju = await startSoju({
          folder: join(folder.path, 'soju'),
          ircPort: soju.ircPort,
          onSocket,
          messageStore,
          ...trusted,
        });
      } else stack.ergo = await startServer({ folder: join(folder.path, 'ergo'), port: ergo.port });
    },
    restartWithoutSoju: async () => {
      await Promise.all([stack.connector.stop(), stack.soju.process.stop()]);
      stack.connector = await startConnectorProcess(configFile, baseUrl);
    },
    signIn: (login) => signIn(baseUrl, login),
    invite: (login, channels) =>
      fetch(`${baseUrl}/admin/invite`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ idp_login: login, ...(channels === undefined ? {} : { channels }) }),
      }),
    [Symbol.asyncDispose]: async () => {
      const parts = [stack.connector, stack.soju.process, stack.ergo.process, stack.identityProvider.process];
      await Promise.all(parts.map((part) => part.stop()));
      await unpaced?.[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
  return stack;
}

/** Stands before the server and adds to what it announces: ergo knows no such word. */
async function announceSafeRate(port: number): Promise<IrcProxy> {
  const proxy = await startIrcProxy(port);
  proxy.fromServer = (line) => line.replace(/( 005 \S+ .*) WHOX /, '$1 WHOX soju.im/SAFERATE ');
  return proxy;
}

/** The program as users start it: a bundle starts in a third of the time that its sources take. */
export function connectorCommand(configFile: string, command = 'run'): [string, ...string[]] {
  return ['bin/homeport-connector', command, '--config', configFile];
}

export async function writeConfig(folder: string, config: unknown): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'connector.json');
  await writeFile(file, JSON.stringify(config, null, 2));
  return file;
}

export async function secretFile(folder: string, name: string, secret: string): Promise<string> {
  const file = join(folder, `${name}.secret`);
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return file;
}

async function startConnectorProcess(configFile: string, baseUrl: string): Promise<ManagedProcess> {
  const connector = startProcess({ name: 'connector', command: connectorCommand(configFile) });
  const answers = async () => (await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(30_000) })).ok;
  await waitFor('the connector answers', answers, { process: connector });
  return connector;
}

/** A browser in which a person is signed in at an address, at the settings page. */
export async function signIn(baseUrl: string, login: string): Promise<CookieBrowser> {
  const browser = new CookieBrowser();
  const form = await browser.open(`${baseUrl}/settings`);
  const page = await browser.submit(form, { login });
  if (page.url.pathname !== '/settings') throw new Error(`signing in as ${login} ended at ${page.url}:\n${page.body}`);
  return browser;
}
