import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { openDatabase } from '../../../src/connector/store/database.ts';
import { tablesToMove } from '../../../src/connector/store/move/tables.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { runBackupCommand } from '../../harness/backup.ts';
import { connectedTo, emptyTarget, type MovableInstallation, movableInstallation } from '../../harness/move.ts';
import { needs } from '../../harness/needs.ts';
import { choiceOf } from '../../harness/open-store.ts';
import { startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { restoreRecording } from '../../harness/recorded-database.ts';
import { mountSmallDisk } from '../../harness/small-disk.ts';
import { connectorCommand } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { fileDatabase, type TestDatabase } from '../../harness/test-database.ts';

const BAD = 78;

let own: MovableInstallation;
let number = 0;

beforeAll(async () => {
  own = await movableInstallation();
  await own.renew();
});

afterAll(() => own?.[Symbol.asyncDispose]());

/** Tables that a restore changes on purpose. */
const CHANGED = ['totals', 'message_parts', 'messages', 'deliveries', 'dropped_deliveries'];
const unchanged = (rows: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(rows).filter(([table]) => !CHANGED.includes(table)));

test('a backup of a file is restored into PostgreSQL, and one of PostgreSQL into a file, row for row', async () => {
  const file = await installedOn(fileDatabase(own.file));
  await using server = await emptyTarget();
  const onServer = await installedOn(server);
  const before = await rowsIn(fileDatabase(own.file));

  expect(await runBackupCommand(file.configFile, 'backup', '--to', file.backup)).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  const up = await runBackupCommand(onServer.configFile, 'restore', '--from', file.backup);
  expect(up).toMatchObject({ exitCode: 0, stderr: '' });
  expect(up.stdout).not.toContain('is kept');
  expect(unchanged(await rowsIn(server))).toEqual(unchanged(before));

  const saved = await runBackupCommand(onServer.configFile, 'backup', '--to', onServer.backup);
  expect(saved).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await rowsIn(fileDatabase(join(onServer.backup, 'connector.db')))).toEqual(await rowsIn(server));
  const back = fileDatabase(join(own.folder, 'back.db'));
  const onFile = await installedOn(back);
  expect(await runBackupCommand(onFile.configFile, 'restore', '--from', onServer.backup)).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expect(unchanged(await rowsIn(back))).toEqual(unchanged(before));
  const opened = await openDatabase({ sqlite: { file: join(own.folder, 'back.db') } }, systemClock);
  await opened.close();
});

test('a database that is not empty gives way only on demand, is kept as it was, and the number of its slot goes on', async () => {
  await using server = await emptyTarget();
  const { configFile, backup } = await installedOn(server);
  const file = await installedOn(fileDatabase(own.file));
  await runBackupCommand(file.configFile, 'backup', '--to', backup);
  expect((await runBackupCommand(configFile, 'restore', '--from', backup)).exitCode).toBe(0);
  await using there = await connectedTo(server);
  await there.database('slots').update({ process_id: 'of before', fence: 41 });
  await there.database('accounts').update({ nick: 'changed' });
  const before = await rowsOf(there.database);

  const refused = await runBackupCommand(configFile, 'restore', '--from', backup);
  expect([refused.exitCode, refused.stdout]).toEqual([BAD, '']);
  expect(refused.stderr).toMatch(/is not empty \(table \w+ has rows\): with --replace .*nothing was changed$/);
  const { exitCode, stdout, stderr } = await runBackupCommand(configFile, 'restore', '--from', backup, '--replace');

  expect([exitCode, stderr]).toEqual([0, '']);
  const [, schema = ''] = /is kept: schema (before_restore_\w+); DROP SCHEMA "\1" CASCADE/.exec(stdout) ?? [];
  expect(await there.database('slots').first('process_id', 'fence')).toEqual({ process_id: null, fence: '42' });
  expect(await there.database('accounts').where('nick', 'changed')).toEqual([]);
  await there.database.raw('SET search_path TO ??', [schema]);
  expect(await rowsOf(there.database)).toEqual(before);
  await there.database.raw('SET search_path TO public');
  // A connector can start on it.
  await (await openDatabase(choiceOf(server.config), systemClock)).close();
});

test('a connector that serves keeps a restore out, and a backup is made beside it', async () => {
  await using server = await emptyTarget();
  const { configFile, backup, folder } = await installedOn(server);
  const file = await installedOn(fileDatabase(own.file));
  await runBackupCommand(file.configFile, 'backup', '--to', backup);
  expect((await runBackupCommand(configFile, 'restore', '--from', backup)).exitCode).toBe(0);
  const serving = await openDatabase(choiceOf(server.config), systemClock);
  try {
    const beside = await runBackupCommand(configFile, 'backup', '--to', join(folder, 'beside'));
    expect(beside).toMatchObject({ exitCode: 0, stderr: '' });
    const { exitCode, stderr } = await runBackupCommand(configFile, 'restore', '--from', backup, '--replace');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/uses it.*: stop every connector .*nothing was changed$/);
  } finally {
    await serving.close();
  }
});

test('killed while it fills the server, a restore leaves the state of before, and the same command succeeds', async () => {
  await using server = await emptyTarget();
  const { configFile, backup, state } = await installedOn(server);
  const file = await installedOn(fileDatabase(own.file));
  await runBackupCommand(file.configFile, 'backup', '--to', backup);
  expect((await runBackupCommand(configFile, 'restore', '--from', backup)).exitCode).toBe(0);
  await using there = await connectedTo(server);
  await there.database('accounts').update({ nick: 'of before' });
  const before = await rowsOf(there.database);
  const staged = () => statSync(join(state, 'connector.db.restore'), { throwIfNoEntry: false })?.size ?? -1;
  /** Whether its transaction has begun to change tables. */
  const isFilling = async () => {
    const { rows }: { rows: unknown[] } = await there.database.raw(
      "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = to_regclass('accounts')",
    );
    return rows.length > 0;
  };

  for (const reached of [async () => staged() > 0, isFilling]) {
    const [program, ...args] = connectorCommand(configFile, 'restore');
    const command = execa(program, [...args, '--from', backup, '--replace'], { reject: false });
    let hasEnded = false;
    void command.then(() => {
      hasEnded = true;
    });
    await waitFor('it has come so far', async () => hasEnded || (await reached()));
    command.kill('SIGKILL');
    await command;
    expect(hasEnded).toBe(true);
    expect(await rowsOf(there.database)).toEqual(before);
  }

  await waitFor('the server has noticed', async () => {
    const again = await runBackupCommand(configFile, 'restore', '--from', backup, '--replace');
    return again.exitCode === 0;
  });
  expect(await there.database('accounts').where('nick', 'of before')).toEqual([]);
  expect(existsSync(join(state, 'connector.db.restore'))).toBe(false);
});

test('a backup of an earlier version’s tables on the server has them as they are, and a restore brings them up to date', async () => {
  await using server = await emptyTarget();
  const folder = join(own.folder, 'recorded');
  await mkdir(folder);
  const { facts } = await restoreRecording('0024', server, folder);
  const installed = await installedOn(server, join(folder, 'keys.json'));
  const config = JSON.parse(readFileSync(installed.configFile, 'utf8')) as object;
  writeFileSync(installed.configFile, JSON.stringify({ ...config, baseUrl: facts.baseUrl }));

  expect(await runBackupCommand(installed.configFile, 'backup', '--to', installed.backup)).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  const { exitCode, stdout, stderr } = await runBackupCommand(
    installed.configFile,
    'restore',
    '--from',
    installed.backup,
    '--replace',
  );

  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/brought up to date: \d+ steps/);
  await using there = await connectedTo(server);
  const [{ count } = { count: 0 }] = await there.database('accounts').count();
  expect(Number(count)).toBe(facts.people.length);
});

test('a backup has wholly or not at all what another process stores while it is read', async () => {
  await using server = await emptyTarget();
  const { configFile, backup, folder } = await installedOn(server);
  const file = await installedOn(fileDatabase(own.file));
  await runBackupCommand(file.configFile, 'backup', '--to', backup);
  expect((await runBackupCommand(configFile, 'restore', '--from', backup)).exitCode).toBe(0);
  await using there = await connectedTo(server);
  const written = { until: false, rounds: 0 };
  // The first table that is read, and the last one.
  const writing = (async () => {
    while (!written.until) {
      written.rounds += 1;
      const value = written.rounds;
      await there.database.transaction(async (transaction) => {
        await transaction('totals').insert({ name: 'a round', value }).onConflict('name').merge();
        await transaction('accounts').update({ nick: `round-${value}` });
      });
    }
  })();
  await waitFor('it writes', () => written.rounds > 2);

  const to = join(folder, 'moment');
  const { exitCode, stderr } = await runBackupCommand(configFile, 'backup', '--to', to);
  written.until = true;
  await writing;

  expect([exitCode, stderr]).toEqual([0, '']);
  const copy = fileDatabase(join(to, 'connector.db')).connect();
  const { value } = (await copy('totals').where('name', 'a round').first('value')) as { value: number };
  const nicks: string[] = await copy('accounts').distinct('nick').pluck('nick');
  await copy.destroy();
  expect(nicks).toEqual([`round-${value}`]);
});

test('a server that falls silent ends a backup, and nothing of it is left', async () => {
  await using server = await emptyTarget();
  const direct = await installedOn(server);
  const file = await installedOn(fileDatabase(own.file));
  await runBackupCommand(file.configFile, 'backup', '--to', file.backup);
  expect((await runBackupCommand(direct.configFile, 'restore', '--from', file.backup)).exitCode).toBe(0);
  const { postgres } = server.config;
  if (postgres === undefined) throw new Error('there is no PostgreSQL in this run');
  await using folder = await tempFolder();
  await using proxy = await startPostgresProxy(folder.path, postgres);
  const throughProxy = { ...server, config: { postgres: { ...postgres, host: folder.path } } };
  const { configFile, backup, folder: place } = await installedOn(throughProxy);
  const drafts = () => readdirSync(place).filter((name) => name.startsWith('.homeport-backup-'));
  const rowsCopied = () =>
    drafts().some(
      (name) => (statSync(join(place, name, 'connector.db-wal'), { throwIfNoEntry: false })?.size ?? 0) > 0,
    );

  const making = runBackupCommand(configFile, 'backup', '--to', backup);
  await waitFor('it copies', rowsCopied);
  proxy.hang();
  const { exitCode, stderr } = await making;

  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/database\.postgres: .*does not answer/);
  expect([existsSync(backup), drafts()]).toEqual([false, []]);
});

needs('mount namespaces')(
  'a disk that becomes full while rows are copied is named, and nothing is left on it',
  async () => {
    await using server = await emptyTarget();
    const { configFile } = await installedOn(server);
    const file = await installedOn(fileDatabase(own.file));
    await runBackupCommand(file.configFile, 'backup', '--to', file.backup);
    expect((await runBackupCommand(configFile, 'restore', '--from', file.backup)).exitCode).toBe(0);
    await using disk = await mountSmallDisk(1);

    const { exitCode, stderr } = await runBackupCommand(configFile, 'backup', '--to', join(disk.path, 'backup'));

    expect([exitCode, readdirSync(disk.path)]).toEqual([1, []]);
    expect(stderr).toMatch(
      /--to: \S+backup: the disk is full: free space there, or name another place; nothing was left there$/,
    );
  },
);

/** A configuration on a database, with the keys of the installation in its state directory. */
async function installedOn(database: TestDatabase, keys = join(own.folder, 'keys.json')) {
  number += 1;
  const folder = join(own.folder, `on-${number}`);
  const configFile = await own.configIn(`on-${number}`, { database: database.config });
  await mkdir(join(folder, 'state'), { mode: 0o700 });
  await copyFile(keys, join(folder, 'state', 'keys.json'));
  return { folder, configFile, state: join(folder, 'state'), backup: join(folder, 'backup') };
}

/** All rows of every table that moves, as texts. */
async function rowsOf(database: Knex): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name, columns } of await tablesToMove()) {
    const names = columns.map((column) => column.name);
    const rows: Record<string, unknown>[] = await database(name).select(names);
    found[name] = rows
      .map((row) => JSON.stringify(names.map((each) => (row[each] === null ? null : String(row[each])))))
      .sort();
  }
  return found;
}

async function rowsIn(database: TestDatabase): Promise<Record<string, string[]>> {
  const connection = database.connect();
  try {
    return await rowsOf(connection);
  } finally {
    await connection.destroy();
  }
}
