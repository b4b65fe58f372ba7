import type { Knex } from 'knex';
import { expect, inject, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { lonelyConfig } from '../../harness/lonely-connector.ts';
import { agentIn } from '../../harness/person.ts';
import { startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { connectorCommand, startConnectorStack } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase } from '../../harness/test-database.ts';

test('SIGTERM while the database hangs ends requests and sessions, and then the program, as ever', async () => {
  const server = inject('postgres');
  if (server === undefined) throw new Error('this test is of PostgreSQL');
  await using made = new AsyncDisposableStack();
  const folder = made.use(await tempFolder());
  const proxy = made.use(await startPostgresProxy(folder.path, server));
  const own = made.use(await serverDatabase(server));
  const { port, database, user } = own.config.postgres ?? { port: 0, database: '', user: '' };
  const stack = made.use(
    await startConnectorStack({
      database: {
        kind: 'postgres',
        config: { postgres: { host: folder.path, port, database, user } },
        connect: own.connect,
        [Symbol.asyncDispose]: async () => undefined,
      },
    }),
  );
  const agent = await agentIn(stack, 'ada', ['#room']);
  await agent.call('go_online');

  proxy.hang();
  const asked = agent.call('search_history', { phrase: 'anything' }).then(
    () => 'answered',
    () => 'ended',
  );
  // Repeated work begins no statement once the heartbeats are unanswered; a request that came before waits.
  await waitFor('the request waits for the database', () => proxy.swallowed.includes('from "accounts"'));
  // The usual way to end it sends SIGKILL after five seconds.
  process.kill(stack.connector.pid, 'SIGTERM');

  expect(await stack.connector.ended).toMatchObject({ exitCode: 0 });
  expect(await asked).toBe('ended');
  const logged = stack.connector.output();
  expect(logged).toContain('"part":"database"');
  expect(logged).not.toContain('"part":"sessions"');
});

/** Keeps a table from others until the transaction ends. */
async function locked(database: Knex, table: string): Promise<Knex.Transaction> {
  const transaction = await database.transaction();
  await transaction.raw('LOCK TABLE ?? IN ACCESS EXCLUSIVE MODE', [table]);
  return transaction;
}

async function endOf(transaction: Knex.Transaction): Promise<void> {
  if (!transaction.isCompleted()) await transaction.rollback();
}

const waitedFor = (process: ManagedProcess, database: Knex, table: string): Promise<boolean> =>
  waitFor(
    `the connector waits for ${table}`,
    async () => {
      const { rows } = await database.raw('SELECT 1 FROM pg_locks WHERE relation = ?::regclass AND NOT granted', [
        table,
      ]);
      return rows.length > 0;
    },
    { process },
  );

test('SIGTERM that comes as soon as requests are answered ends them in order', async () => {
  const server = inject('postgres');
  if (server === undefined) throw new Error('this test is of PostgreSQL');
  await using made = new AsyncDisposableStack();
  const folder = made.use(await tempFolder());
  const own = made.use(await serverDatabase(server, { template: server.migrated }));
  const database = own.connect();
  made.defer(() => database.destroy());
  const port = await freePort();
  const config = await lonelyConfig(folder.path, { database: own.config, listen: { port, drainSeconds: 2 } });
  const first = startProcess({ name: 'connector', command: connectorCommand(config) });
  made.defer(() => first.stop());
  const healthz = () => fetch(`http://127.0.0.1:${port}/healthz`);
  await waitFor('the first one serves', healthz, { process: first });
  await first.stop();
  // The last that a start reads before it listens are the accounts that were online.
  const accounts = await locked(database, 'accounts');
  made.defer(() => endOf(accounts));
  const connector = startProcess({ name: 'connector', command: connectorCommand(config) });
  made.defer(() => connector.stop());
  await waitedFor(connector, database, 'accounts');
  await endOf(accounts);
  await waitFor('it answers', async () => (await healthz()).status === 200, { process: connector });

  connector.kill('SIGTERM');

  await waitFor('health checks fail', async () => (await healthz()).status === 503, { process: connector });
  expect(await connector.ended).toMatchObject({ exitCode: 0 });
  expect(connector.output()).not.toMatch(/"level":"(error|fatal)"/);
});
