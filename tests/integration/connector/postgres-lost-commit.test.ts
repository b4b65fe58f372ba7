import { expect, inject, test } from 'vitest';
import { openDatabase } from '../../../src/connector/store/database.ts';
import { createStore } from '../../../src/connector/store/index.ts';
import { createSeal } from '../../../src/connector/store/seal.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { capturedLine } from '../../harness/open-store.ts';
import { startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase } from '../../harness/test-database.ts';

test('lines without ids whose commit was not confirmed are there once when they are stored again', async () => {
  await using folder = await tempFolder();
  const server = inject('postgres');
  if (server === undefined) throw new Error('this test is one of PostgreSQL');
  await using own = await serverDatabase(server);
  await using proxy = await startPostgresProxy(folder.path, server);
  const { database: name, user } = own.config.postgres ?? {};
  const choice = { host: folder.path, port: server.port, database: String(name), user: String(user) };
  const opened = await openDatabase(
    { postgres: { ...choice, password: undefined, tls: 'off', poolSize: 4 } },
    systemClock,
  );
  const { capture, accounts } = createStore(opened, createSeal(Buffer.alloc(32)), systemClock);
  const account = await accounts.create(
    { login: 'ada', nick: 'ada', grants: [{ channel: '#room', enabled: true }] },
    1,
  );
  const at = Date.UTC(2026, 0, 1);
  const [twin, other, later] = ['same', 'same', 'later'].map((text) => ({
    line: { ...capturedLine(text, at), fingerprintBase: text, isExact: false },
    own: undefined,
  }));
  const store = (lines: (typeof twin)[]) =>
    capture.ingest(account?.accountId ?? '', 'main', {
      lines: lines.flatMap((line) => line ?? []),
      isReplay: false,
      synced: new Set(),
    });
  const kept = async () => (await opened.database('entries').orderBy('row').pluck('text')) as string[];

  proxy.loseNextCommit();
  await expect(store([twin, other])).rejects.toThrow();
  expect(await kept()).toEqual(['same', 'same']);
  await store([twin, other, later]);

  expect(await kept()).toEqual(['same', 'same', 'later']);
  await opened.close();
});
