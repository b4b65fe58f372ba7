import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../../scripts/stack/postgres.ts';
import { databaseServer } from '../../../src/connector/store/connect/index.ts';
import { openDatabase } from '../../../src/connector/store/database.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { administer } from '../../harness/administer.ts';
import { choiceOf } from '../../harness/open-store.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { ownServerDatabase } from '../../harness/test-database.ts';

test('stored data survives a crash of a server that does not wait for its disk for other programs', async () => {
  const folder = await tempFolder();
  let server = await startPostgres({ folder: folder.path });
  onTestFinished(async () => {
    await server.stop();
    await folder[Symbol.asyncDispose]();
  });
  const { superuser, port } = server;
  const address = { host: server.socketDirectory, port, superuser };
  // No other process writes the log within this time.
  await administer(address, "ALTER SYSTEM SET wal_writer_delay = '10s'");
  await administer(address, 'ALTER SYSTEM SET synchronous_commit = off');
  await administer(address, 'SELECT pg_reload_conf()');
  const { config } = ownServerDatabase(server);
  const opened = await openDatabase(choiceOf(config), systemClock);

  await opened.database('totals').insert({ name: 'answered for', value: 1 });
  await server.crash();
  await opened.close().catch(() => undefined);
  server = await startPostgres({ folder: folder.path, port });

  const after = databaseServer(choiceOf(config)).connect('migrate');
  onTestFinished(() => after.destroy());
  expect(await after('totals').where('name', 'answered for').pluck('value')).toEqual([1]);
});
