import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import knex from 'knex';
import { expect, inject, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { databaseServer } from '../../../src/connector/store/connect/index.ts';
import { postgresServer } from '../../../src/connector/store/connect/postgres.ts';
import { openDatabase } from '../../../src/connector/store/database.ts';
import type { SlotKeeper } from '../../../src/connector/store/hold/slot-keeper.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { administer } from '../../harness/administer.ts';
import { lonelyConfig, runConnector } from '../../harness/lonely-connector.ts';
import { connectedTo, emptyTarget, movableInstallation } from '../../harness/move.ts';
import { choiceOf } from '../../harness/open-store.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { serverDatabase } from '../../harness/test-database.ts';

const ignored = (): void => undefined;

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
  expect(stderr).toContain(`: backend ${rows[0].pid} of role passer, application psql uses it; two at once`);
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
  // A statement of the library's own, before the session has our settings, would take longer than that.
  await there.database.raw('CREATE SCHEMA slow');
  await there.database.raw(
    "CREATE FUNCTION slow.version() RETURNS text LANGUAGE sql AS 'SELECT pg_catalog.version() FROM pg_sleep(0.1)'",
  );
  await there.database.raw('ALTER DATABASE ?? SET search_path = public, slow, pg_catalog', [
    target.config.postgres?.database ?? '',
  ]);
  // The claim is asked again every five seconds.
  await there.database.raw('ALTER DATABASE ?? SET idle_session_timeout = 1000', [
    target.config.postgres?.database ?? '',
  ]);

  const up = await own.move(target.url);
  const back = await own.move(`sqlite:${join(own.folder, 'back.db')}`, { from: target.url });

  expect([up, back]).toMatchObject([
    { exitCode: 0, stderr: '' },
    { exitCode: 0, stderr: '' },
  ]);
});

test('a connector that has the database is named as such with its session, also beside one that waits, and a move without it', async () => {
  await using own = await movableInstallation();
  await own.renew();
  await using there = await emptyTarget();
  expect((await own.move(there.url)).exitCode).toBe(0);
  const choice = choiceOf(there.config);
  const serving = await openDatabase(choice, systemClock);
  const { promise: waits, resolve } = Promise.withResolvers<SlotKeeper>();
  const waiting = openDatabase(choice, systemClock, undefined, undefined, { waits: resolve }).catch(() => undefined);
  const keeper = await waits;

  const refused = await own.move(`sqlite:${join(own.folder, 'back.db')}`, { from: there.url });

  await keeper.release();
  await waiting;
  await serving.close();
  expect(refused.stderr).toMatch(
    new RegExp(
      `: process ${process.pid} on \\S+ uses it \\(its lock on the server: backend \\d+ of role \\w+, application homeport-connector ${serving.claim.fence?.processId}`,
    ),
  );
  const moving = await databaseServer(choice).claim('connector');
  const second = await own.move(`sqlite:${join(own.folder, 'back.db')}`, { from: there.url });
  await moving?.release();
  expect(second.stderr).toMatch(
    /: backend \d+ of role \w+, application homeport-connector uses it \(the last connector was process \d+ on \S+\): end/,
  );
});

test('after the machine was suspended nothing is written until the server has said again who has the claim', async () => {
  await using own = await emptyTarget();
  await using there = await connectedTo(own);
  const { host, port, database, user } = own.config.postgres ?? { host: '', port: 0, database: '', user: '' };
  let suspendedMs = 0;
  const server = postgresServer(
    { host, port, database, user, password: undefined, tls: 'off', poolSize: 1 },
    () => performance.now() + suspendedMs,
  );
  const claim = await server.claim('connector');
  if (claim === undefined) throw new Error('the claim is free');
  const connected = server.connect('serve', claim);
  await connected.raw('CREATE TABLE written (n integer)');
  const write = () => connected.raw('INSERT INTO written VALUES (1)');
  await write();

  // The timers of the claim have stood still.
  suspendedMs = 60_000;

  await expect(write()).rejects.toThrow('The claim on the database is in doubt');
  await waitFor('the claim is trusted again', () => claim.isTrusted());
  await write();
  expect(await there.database('written').count({ rows: '*' })).toEqual([{ rows: '2' }]);
  await connected.destroy();
  await claim.release();
});

test('after the machine was suspended the process that has the slot writes nothing, in or out of a transaction, until a heartbeat is answered', async () => {
  await using own = await movableInstallation();
  await own.renew();
  await using target = await emptyTarget();
  expect((await own.move(target.url)).exitCode).toBe(0);
  const { host, port, database, user } = target.config.postgres ?? { host: '', port: 0, database: '', user: '' };
  let suspendedMs = 0;
  const server = postgresServer(
    { host, port, database, user, password: undefined, tls: 'off', poolSize: 2 },
    () => performance.now() + suspendedMs,
  );
  const keeper = server.join?.(
    { processId: 'prc_test', name: 'this one', version: '0' },
    {
      clock: systemClock,
      failed: ignored,
      takingFailed: ignored,
      waitsForOlder: ignored,
      connectionsLeft: ignored,
      clockIsOff: ignored,
    },
  );
  if (keeper === undefined) throw new Error('PostgreSQL can be shared');
  const hold = await keeper.taken;
  const connected = server.connect('serve', hold);
  const write = (name: string) => connected('totals').insert({ name, value: 1 });
  await write('before');
  const [isInserted, isSuspended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const underWay = connected.transaction(async (transaction) => {
    await transaction('totals').insert({ name: 'under way', value: 1 });
    isInserted.resolve();
    await isSuspended.promise;
  });
  await isInserted.promise;

  suspendedMs = 60_000;
  isSuspended.resolve();
  const ends = await Promise.allSettled([write('late'), underWay]);

  for (const { status, reason } of ends as PromiseRejectedResult[]) {
    expect([status, String(reason)]).toEqual([
      'rejected',
      expect.stringContaining('The claim on the database is in doubt'),
    ]);
  }
  await waitFor('it is trusted again', () => hold.isTrusted());
  await write('after');
  const names: string[] = await connected('totals')
    .whereIn('name', ['before', 'under way', 'late', 'after'])
    .pluck('name');
  expect(names.toSorted()).toEqual(['after', 'before']);
  await connected.destroy();
  await keeper.release();
});

test('a server that ends sessions at rest does not end the claim on the database', async () => {
  const server = inject('postgres');
  if (server === undefined) throw new Error('this test is of PostgreSQL');
  await using own = await serverDatabase(server, { template: server.migrated });
  const there = own.connect();
  await using _there = { [Symbol.asyncDispose]: () => there.destroy() };
  await there.raw(`ALTER DATABASE ?? SET idle_session_timeout = '500ms'`, [own.config.postgres?.database ?? '']);
  const opened = await openDatabase(choiceOf(own.config), systemClock);
  await using _opened = { [Symbol.asyncDispose]: () => opened.close() };
  const heartbeat = async (): Promise<number> => Number((await there('processes').pluck('seen_at'))[0]);
  const session = async (): Promise<number[]> =>
    (
      await there.raw(
        `SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
         WHERE datname = current_database() AND objid = ? AND granted`,
        CLAIM.slice(1),
      )
    ).rows.map(({ pid }: { pid: number }) => pid);
  const [first, pids] = [await heartbeat(), await session()];

  await waitFor('three more heartbeats', async () => (await heartbeat()) - first > 5_500);

  expect(pids).toHaveLength(1);
  expect(await session()).toEqual(pids);
});
