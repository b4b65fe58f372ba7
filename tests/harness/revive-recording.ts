import { join } from 'node:path';
import { Writable } from 'node:stream';
import { vi } from 'vitest';
import { connectorConfig } from '../../schemas/connector.ts';
import { freePort } from '../../scripts/stack/free-port.ts';
import { startConnector } from '../../src/connector/connector.ts';
import { createLog } from '../../src/kernel/log.ts';
import { CookieBrowser } from './cookie-browser.ts';
import { postMcp } from './oauth-client.ts';
import {
  type AgentFacts,
  type Facts,
  type PersonFacts,
  type Recording,
  restoreRecording,
} from './recorded-database.ts';
import { tempFolder } from './temp-folder.ts';
import { type TestDatabase, testDatabase } from './test-database.ts';

/** The program of today on a copy of what an earlier version left; the rest of its world is missing. */
export interface RevivedRecording extends AsyncDisposable {
  facts: Facts;
  database: TestDatabase;
  /** Address on which it listens now, another one than in the recording. */
  baseUrl: string;
  /** Calls a tool as an agent of the recording and returns its result. @throws Error when it refuses */
  callTool(agent: AgentFacts, name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The browser in which a person of the recording is signed in. */
  browserOf(person: PersonFacts): CookieBrowser;
}

/** A recording in a database of its own. */
export interface PreparedRecording extends Recording {
  database: TestDatabase;
}

async function recordingIn(number: string, folder: string): Promise<PreparedRecording> {
  const database = await testDatabase(folder);
  return { ...(await restoreRecording(number, database, folder)), database };
}

/**
 * Starts today's program on a copy of a recording, inside this process and at the moment of the recording: tokens live
 * for an hour. Only `Date` stands still; everything else waits in real time.
 * @param prepare makes the database, unless it is simply the recording
 */
export async function reviveRecording(
  number: string,
  prepare: (folder: string) => Promise<PreparedRecording> = (folder) => recordingIn(number, folder),
): Promise<RevivedRecording> {
  await using made = new AsyncDisposableStack();
  const folder = made.use(await tempFolder());
  const { database: prepared, facts, stateDirectory } = await prepare(folder.path);
  const database = made.use(prepared);
  await stopServerClock(database, facts.recordedAt);
  vi.useFakeTimers({ toFake: ['Date'], now: facts.recordedAt });
  made.defer(() => void vi.useRealTimers());
  const port = await freePort();
  const { id, secret, redirectUri } = facts.legacyClient;
  const config = connectorConfig.parse({
    baseUrl: facts.baseUrl,
    listen: { port, drainSeconds: 0 },
    stateDirectory,
    ircChannels: facts.ircChannels,
    oauthRedirectUris: [redirectUri],
    legacyClient: { id, secretFile: '/legacy' },
    settings: { ownerLogins: facts.ownerLogins },
    identityProvider: { oidc: { issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecretFile: '/idp' } },
    bouncer: {
      soju: {
        adminSocket: join(folder.path, 'none'),
        address: `unix://${join(folder.path, 'none')}`,
        network: { name: 'main', address: 'irc+insecure://127.0.0.1:9' },
      },
    },
    database: database.config,
  });
  const lifecycle = await startConnector({
    environment: {},
    config,
    soft: { inForce: config },
    readSecret: (path) => (path === '/legacy' ? secret : 'not used'),
    log: createLog('test', 'error', new Writable({ write: (_chunk, _encoding, done) => done() })),
    signals: { onEnd: () => undefined },
  });
  made.defer(() => lifecycle.close());
  const baseUrl = `http://127.0.0.1:${port}`;
  const kept = made.move();
  return {
    facts,
    database,
    baseUrl,
    callTool: (agent, name, args) => callTool(baseUrl, agent, name, args),
    browserOf: ({ cookie }) => {
      const browser = new CookieBrowser();
      browser.setCookie(baseUrl, '__Host-homeport', cookie);
      return browser;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/**
 * The program refuses to serve where its clock and that of PostgreSQL differ, so both stand still at the same moment.
 */
async function stopServerClock({ kind, connect }: TestDatabase, now: number): Promise<void> {
  if (kind !== 'postgres') return;
  const connection = connect();
  try {
    for (const name of ['clock_timestamp', 'statement_timestamp']) {
      await connection.raw(
        `CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT to_timestamp(${now / 1_000}) $$`,
      );
    }
    await connection.raw(`
      DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
      END $$`);
  } finally {
    await connection.destroy();
  }
}

async function callTool(
  baseUrl: string,
  { accessToken }: AgentFacts,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const response = await postMcp({ baseUrl }, body, { authorization: `Bearer ${accessToken}` });
  const answer = (await response.json()) as { result?: { isError?: boolean; structuredContent?: unknown } };
  if (answer.result?.structuredContent === undefined || answer.result.isError === true) {
    throw new Error(`${name} ended with ${response.status} ${JSON.stringify(answer)}`);
  }
  return answer.result.structuredContent as Record<string, unknown>;
}
