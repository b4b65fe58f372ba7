import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../../../scripts/stack/postgres.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import type { Agent } from '../../harness/agent.ts';
import { startFlood } from '../../harness/flood.ts';
import { gapsOf, textsOf } from '../../harness/history.ts';
import { joinIrc } from '../../harness/irc-client.ts';
import { agentIn } from '../../harness/person.ts';
import { keptBySoju } from '../../harness/soju-history.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { ownServerDatabase } from '../../harness/test-database.ts';

const LINES_PER_SECOND = 100;
const LINES_BETWEEN = 100;

let folder: Awaited<ReturnType<typeof tempFolder>>;
let server: Postgres;
let stack: ConnectorStack;
let agent: Agent;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startPostgres({ folder: folder.path });
  stack = await startConnectorStack({ database: ownServerDatabase(server) });
  agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
  await server?.stop();
  await folder?.[Symbol.asyncDispose]();
});

const said = (): Promise<string[]> => textsOf(agent);

for (const [fate, end] of [
  ['is stopped', (): Promise<void> => server.stop()],
  ['has crashed', (): Promise<void> => server.crash()],
] as const) {
  test(`while the server ${fate} calls are refused in words and lines wait; when it is back none is lost or doubled`, async () => {
    using bob = await joinIrc(stack.ergo, `bob${fate.length}`, ['#room']);
    const flood = startFlood(bob, '#room', LINES_PER_SECOND);
    await flood.spoken(LINES_BETWEEN);
    await end();

    const listed = await fetch(`${stack.baseUrl}/v1/channels/room/messages`, {
      headers: { authorization: `Bearer ${agent.accessToken}` },
    });
    await flood.spoken(LINES_BETWEEN);

    expect(listed.status).toBe(503);
    expect(await listed.json()).toMatchObject({ error: { code: 'database_unavailable' } });
    expect((await fetch(`${stack.baseUrl}/healthz`)).ok).toBe(true);

    server = await startPostgres({ folder: folder.path, port: server.port });
    await flood.spoken(LINES_BETWEEN);
    const lines = await flood.stop();
    const last = `the last while it ${fate}`;
    bob.say('#room', last);
    await waitFor('the last line is in history', async () => (await said()).includes(last), { timeoutMs: 30_000 });
    expect(await said()).toEqual(await keptBySoju(stack.folder));
    expect((await said()).filter((text) => text.startsWith(bob.nick))).toHaveLength(lines);
    expect(await gapsOf(agent)).toEqual([]);
  });
}

test('a process whose database another one has taken ends, and starts again when that one is gone', async () => {
  const other = stack.database.connect();
  await takeLock(other);

  const end = await stack.connector.ended;

  expect(end.exitCode).toBe(1);
  expect(stack.connector.output()).toContain(
    'an earlier version of the program, or another one, has taken the database',
  );
  // All it prints is its log.
  for (const line of stack.connector.output().trim().split('\n').slice(1)) expect(line).toMatch(/^{.*}$/);
  await other.destroy();
  await stack.revive('connector');
  expect(await agent.call('see_account_information')).toMatchObject({ presence: 'online' });
});

/** The second key of the lock on the whole database, which earlier versions take alone. */
const PORT = 0x706f7274;

/** Ends the connection that has the lock, and takes the lock before the connector can. */
async function takeLock(other: Knex): Promise<void> {
  // Lost with the server, it is taken again.
  const { pid, classid, objid } = await waitFor('the process has its lock', async () => {
    const { rows } = await other.raw(
      `SELECT pid, classid, objid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted
       AND objid = ${PORT}`,
    );
    return rows[0];
  });
  // knex starts a statement only when it is awaited.
  const waiting = other.raw('SELECT pg_advisory_lock(?, ?)', [classid, objid]).then(() => undefined);
  await waitFor('the other waits for the lock', async () => {
    const { rows: waiters } = await other.raw(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
    return waiters.length === 1;
  });
  await other.raw('SELECT pg_terminate_backend(?)', [pid]);
  await waiting;
}
