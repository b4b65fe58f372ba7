import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import knex from 'knex';
import { expect, inject, test } from 'vitest';
import { administer } from '../../harness/administer.ts';
import { lonelyConfig, runConnector } from '../../harness/lonely-connector.ts';
import { connectedTo, emptyTarget, movableInstallation } from '../../harness/move.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase } from '../../harness/test-database.ts';

/** The keys of the claim. */
const CLAIM = [0x686f6d65, 0x706f7274];

test('a lock that another role has taken is named with its session, and no role can take it once the guide has been followed', async () => {
  const server = inject('postgres');
  if (server === undefined) throw new Error('this test is of PostgreSQL');
  await using folder = await tempFolder();
  await using own = await serverDatabase(server, { template: server.migrated });
  await administer(server, 'CREATE ROLE passer LOGIN');
  const { host, port, database } = own.config.postgres ?? { host: '', port: 0, database: '' };
  const asPasser = () =>
    knex({ client: 'pg', connection: { host, port, database, user: 'passer', application_name: 'psql' } });
  const config = await lonelyConfig(folder.path, { database: own.config });
  const stranger = asPasser();
  await using _stranger = { [Symbol.asyncDispose]: () => stranger.destroy() };
  await stranger.raw('SELECT pg_advisory_lock(?, ?)', CLAIM);
  const { rows } = await stranger.raw('SELECT pg_backend_pid() AS pid');

  const { exitCode, stderr } = await runConnector(config);

  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    new RegExp(
      ` uses it \\(its lock on the server: backend ${rows[0].pid} of role passer, application psql\\); two at once`,
    ),
  );
  const guide = await readFile('docs/guides/postgresql.md', 'utf8');
  const revoke = /psql --quiet --command='(REVOKE [^']+)'/.exec(guide)?.[1] ?? '';
  await administer(server, revoke.replace('"homeport-connector"', database));
  const later = asPasser();
  await using _later = { [Symbol.asyncDispose]: () => later.destroy() };
  await expect(later.raw('SELECT 1')).rejects.toThrow('permission denied for database');
});

test('a server that gives statements and transactions little time does not end a move', async () => {
  await using own = await movableInstallation();
  await own.renew();
  await using target = await emptyTarget();
  await using there = await connectedTo(target);
  for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout']) {
    await there.database.raw(`ALTER DATABASE ?? SET ${setting} = 1`, [target.config.postgres?.database ?? '']);
  }

  const up = await own.move(target.url);
  const back = await own.move(`sqlite:${join(own.folder, 'back.db')}`, { from: target.url });

  expect([up, back]).toMatchObject([
    { exitCode: 0, stderr: '' },
    { exitCode: 0, stderr: '' },
  ]);
});
