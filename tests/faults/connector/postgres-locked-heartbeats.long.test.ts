import { expect, inject, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { lonelyConfig } from '../../harness/lonely-connector.ts';
import { connectorCommand } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase } from '../../harness/test-database.ts';

test('while an administrator locks the table of the heartbeats, the log names the lock, and their connection stays', async () => {
  const server = inject('postgres');
  if (server === undefined) throw new Error('this test is of PostgreSQL');
  await using made = new AsyncDisposableStack();
  const folder = made.use(await tempFolder());
  const own = made.use(await serverDatabase(server, { template: server.migrated }));
  const database = own.connect();
  made.defer(() => database.destroy());
  const port = await freePort();
  const connector = startProcess({
    name: 'connector',
    command: connectorCommand(await lonelyConfig(folder.path, { database: own.config, listen: { port } })),
  });
  made.defer(() => connector.stop());
  const isServing = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  await waitFor('it serves', isServing, { process: connector });
  const lock = await database.transaction();
  made.defer(async () => void (lock.isCompleted() || (await lock.rollback())));
  await lock.raw('LOCK TABLE processes IN ACCESS EXCLUSIVE MODE');
  const waiting = () =>
    waitFor('a heartbeat waits', async () => {
      const { rows } = await database.raw(
        `SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE relation = 'processes'::regclass AND NOT granted AND query LIKE 'INSERT INTO processes%'`,
      );
      return rows[0]?.pid as number | undefined;
    });
  const session = await waiting();

  await waitFor('the log has it', () => connector.output().includes('has not answered a heartbeat'), {
    process: connector,
  });

  expect(connector.output()).toContain('another session locks a table there');
  expect(await waiting()).toBe(session);
  await lock.rollback();
  await waitFor('it serves again', isServing, { process: connector });
});
