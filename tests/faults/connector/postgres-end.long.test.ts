import { expect, inject, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { agentIn } from '../../harness/person.ts';
import { startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { startConnectorStack } from '../../harness/start-connector.ts';
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
  await waitFor('repeated work waits for the database', () => proxy.swallowed.includes('deliveries'));
  const asked = agent.call('search_history', { phrase: 'anything' }).then(
    () => 'answered',
    () => 'ended',
  );
  // The usual way to end it sends SIGKILL after five seconds.
  process.kill(stack.connector.pid, 'SIGTERM');

  expect(await stack.connector.ended).toMatchObject({ exitCode: 0 });
  expect(await asked).toBe('ended');
  const logged = stack.connector.output();
  expect(logged).toContain('"part":"database"');
  expect(logged).not.toContain('"part":"sessions"');
});
