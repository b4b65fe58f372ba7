import { join } from 'node:path';
import { execa } from 'execa';
import { type Ergo, startErgo } from '../../scripts/stack/ergo.ts';
import { freePort } from '../../scripts/stack/free-port.ts';
import { startIdentityProvider } from '../../scripts/stack/identity-provider.ts';
import { type ManagedProcess, startProcess } from '../../scripts/stack/managed-process.ts';
import { type Soju, type SojuOptions, startSoju } from '../../scripts/stack/soju.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { CookieBrowser } from '../../tests/harness/cookie-browser.ts';
import type { MadeAccount } from '../../tests/harness/create-accounts.ts';
import { secretFile, writeConfig } from '../../tests/harness/start-connector.ts';

const IDP_CLIENT = { clientId: 'connector', clientSecret: 'secret-at-the-identity-provider' };
const ADMIN_TOKEN = 'admin-token-of-the-benchmark';
const READY_DEADLINE_MS = 120_000;
const MAKING_DEADLINE_MS = 120_000;

/** The bundled connector with a real bouncer and IRC server; its accounts are written directly, without invitations. */
export interface BenchStack extends AsyncDisposable {
  baseUrl: string;
  databaseFile: string;
  sojuFile: string;
  ergo: Ergo;
  soju: Soju;
  accountIds: readonly string[];
  connector: ManagedProcess | undefined;
  startConnector(): Promise<ManagedProcess>;
  restartSoju(): Promise<void>;
  signIn(login: string): Promise<CookieBrowser>;
  /** A figure of the connector's own metrics. */
  metric(name: string): Promise<number>;
}

export interface BenchStackOptions {
  folder: string;
  /** Checkout whose connector runs. */
  checkout: string;
  accounts: readonly MadeAccount[];
  messageStore?: SojuOptions['messageStore'];
}

/** Everything but the connector runs when this resolves. */
export async function startBenchStack({
  folder,
  checkout,
  accounts,
  messageStore = 'db',
}: BenchStackOptions): Promise<BenchStack> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const sojuOptions = { folder: join(folder, 'soju'), messageStore };
  const [ergo, soju, identityProvider] = await Promise.all([
    startErgo({ folder: join(folder, 'ergo') }),
    startSoju(sojuOptions),
    startIdentityProvider({ folder: join(folder, 'idp'), ...IDP_CLIENT, redirectUri: `${baseUrl}/login/idp/callback` }),
  ]);
  const stateDirectory = join(folder, 'state');
  const channels = [...new Set(accounts.flatMap((account) => account.channels))];
  const configFile = await writeConfig(folder, {
    baseUrl,
    logLevel: 'warn',
    listen: { port },
    stateDirectory,
    ircChannels: channels,
    settings: { ownerLogins: [accounts[0]?.login ?? 'nobody'], maxUsers: 10_000 },
    retention: { days: 3_650, entriesPerAccount: 10_000_000 },
    rateLimits: { perClient: 10_000_000 },
    identityProvider: {
      oidc: {
        issuer: identityProvider.issuer,
        clientId: IDP_CLIENT.clientId,
        clientSecretFile: await secretFile(folder, 'idp-client', IDP_CLIENT.clientSecret),
      },
    },
    bouncer: {
      soju: {
        adminSocket: soju.adminSocket,
        address: soju.address,
        network: { name: 'main', address: `irc+insecure://${ergo.host}:${ergo.port}` },
      },
    },
    adminTokenFile: await secretFile(folder, 'admin', ADMIN_TOKEN),
  });
  const databaseFile = join(stateDirectory, 'connector.db');
  const stack: BenchStack = {
    baseUrl,
    databaseFile,
    sojuFile: join(folder, 'soju', 'soju.db'),
    ergo,
    soju,
    accountIds: await makeAccounts(checkout, stateDirectory, databaseFile, accounts),
    connector: undefined,
    startConnector: async () => {
      const command = [join(checkout, 'bin/homeport-connector'), 'run', '--config', configFile] as const;
      const connector = startProcess({ name: 'connector', command, logFile: join(folder, 'connector.log') });
      stack.connector = connector;
      const answers = async () => (await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(2_000) })).ok;
      await waitFor('the connector answers', answers, { process: connector, timeoutMs: READY_DEADLINE_MS });
      return connector;
    },
    restartSoju: async () => {
      await stack.soju.process.stop();
      stack.soju = await startSoju({ ...sojuOptions, ircPort: soju.ircPort });
    },
    signIn: async (login) => {
      const browser = new CookieBrowser();
      await browser.submit(await browser.open(`${baseUrl}/settings`), { login });
      return browser;
    },
    metric: async (name) => {
      const answer = await fetch(`${baseUrl}/metrics`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
      const line = (await answer.text()).split('\n').find((text) => text.startsWith(`${name} `));
      return Number(line?.slice(name.length + 1));
    },
    [Symbol.asyncDispose]: async () => {
      const parts = [stack.connector, stack.soju.process, ergo.process, identityProvider.process];
      await Promise.all(parts.map((part) => part?.stop()));
    },
  };
  return stack;
}

async function makeAccounts(
  checkout: string,
  stateDirectory: string,
  databaseFile: string,
  accounts: readonly MadeAccount[],
): Promise<string[]> {
  const maker = ['bench/connector/make-accounts.ts', checkout, stateDirectory, databaseFile, JSON.stringify(accounts)];
  const { stdout } = await execa(process.execPath, maker, { timeout: MAKING_DEADLINE_MS });
  return JSON.parse(stdout) as string[];
}
