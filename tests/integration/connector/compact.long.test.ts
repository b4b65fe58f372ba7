import { existsSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { migrateDatabase, openDatabase } from '../../../src/connector/store/database.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { listeningLog } from '../../harness/listening-log.ts';
import { lonelyConfig, runConnector } from '../../harness/lonely-connector.ts';
import { needs } from '../../harness/needs.ts';
import { mountSmallDisk } from '../../harness/small-disk.ts';
import { connectorCommand } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { fileDatabase } from '../../harness/test-database.ts';

const MEBIBYTE = 2 ** 20;

test('a file of an earlier version becomes as small as its content, and later deletions make it smaller', async () => {
  await using folder = await tempFolder();
  const { configFile, file } = await earlierInstallation(folder.path, 24);
  const before = await contentOf(file);
  const sizeBefore = statSync(file).size;

  const { exitCode, stdout, stderr } = await runConnector(configFile, 'compact');

  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^done: \d+\.\d MiB before, \d+\.\d MiB now, and deletions make it smaller from now on$/);
  expect(statSync(file).size).toBeLessThan(sizeBefore / 3);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(`${file}.compact`)).toBe(false);
  expect(await autoVacuumOf(file)).toBe(2);
  expect(await contentOf(file)).toEqual(before);
  const again = await runConnector(configFile, 'compact');
  expect([again.exitCode, await contentOf(file)]).toEqual([0, before]);
});

test('while another program has the file open, or a connector serves from it, it stays as it is', async () => {
  await using folder = await tempFolder();
  const { configFile, file } = await earlierInstallation(folder.path, 4);
  const reader = fileDatabase(file).connect();
  await reader('ballast').select('number');

  const read = await runConnector(configFile, 'compact');
  expect(read.stderr).toMatch(
    /connector\.db: another program has it open: end it, for example a backup or sqlite3, and run/,
  );
  expect(read.exitCode).not.toBe(0);
  await reader.destroy();

  const opened = await openDatabase({ sqlite: { file } }, systemClock);
  const served = await runConnector(configFile, 'compact');
  await opened.close();
  expect(served.stderr).toMatch(/process \d+ .* uses it/);
  expect(await autoVacuumOf(file)).toBe(0);
  expect(existsSync(`${file}.compact`)).toBe(false);
});

needs('mount namespaces')(
  'a disk without room for the copy is named with the space that it needs, and no file changes',
  async () => {
    await using disk = await mountSmallDisk(120);
    const { configFile, file } = await earlierInstallation(disk.path, 20);
    const { bavail, bsize } = statfsSync(disk.path);
    writeFileSync(join(disk.path, 'others'), Buffer.alloc(bavail * bsize - 6 * MEBIBYTE));

    const { exitCode, stderr } = await runConnector(configFile, 'compact');

    expect(exitCode).not.toBe(0);
    expect(stderr).toMatch(
      /its copy needs \d+ MiB in \S+, where \d+ MiB are free: free space there, and run this again/,
    );
    expect([await autoVacuumOf(file), existsSync(`${file}.compact`)]).toEqual([0, false]);
    rmSync(join(disk.path, 'others'));
    expect((await runConnector(configFile, 'compact')).exitCode).toBe(0);
    expect(await autoVacuumOf(file)).toBe(2);
  },
);

test('killed at any moment it leaves the file sound with all that is in it, and a start removes the copy', async () => {
  await using folder = await tempFolder();
  const { configFile, file } = await earlierInstallation(folder.path, 40);
  const before = await contentOf(file);
  const [program, ...args] = connectorCommand(configFile, 'compact');

  for (const size of [0, 1, 6, 9].map((megabytes) => megabytes * MEBIBYTE)) {
    const command = execa(program, args, { reject: false });
    let hasEnded = false;
    void command.then(() => {
      hasEnded = true;
    });
    const copied = () => statSync(`${file}.compact`, { throwIfNoEntry: false })?.size ?? -1;
    await waitFor('the copy has grown', () => hasEnded || copied() >= size);
    command.kill('SIGKILL');
    await command;
    expect(await contentOf(file)).toEqual(before);
  }

  writeFileSync(`${file}.compact`, readFileSync(file).subarray(0, MEBIBYTE));
  await (await openDatabase({ sqlite: { file } }, systemClock, undefined, listeningLog().log)).close();
  expect(existsSync(`${file}.compact`)).toBe(false);
});

test('without a file the command ends well and makes none; PostgreSQL needs no such command', async () => {
  await using folder = await tempFolder();
  const configFile = await lonelyConfig(folder.path);
  await mkdir(join(folder.path, 'state'));
  const none = await runConnector(configFile, 'compact');
  const server = await lonelyConfig(folder.path, { database: { postgres: { host: '127.0.0.1', port: 1 } } });

  expect(none.stderr).toContain('there is none yet: the first start makes it');
  expect(existsSync(join(folder.path, 'state', 'connector.db'))).toBe(false);
  expect(await runConnector(server, 'compact')).toMatchObject({
    exitCode: 0,
    stdout: 'nothing to do: PostgreSQL uses the room of deleted rows again by itself',
  });
});

/** A configuration whose database an earlier version has filled; a quarter of it is in use. */
async function earlierInstallation(folder: string, megabytes: number) {
  const configFile = await lonelyConfig(folder);
  const file = join(folder, 'state', 'connector.db');
  await mkdir(dirname(file), { recursive: true });
  await migrateDatabase({ sqlite: { file } }, systemClock);
  await within(file, async (database) => {
    await database.raw('PRAGMA journal_mode = DELETE');
    await database.raw('PRAGMA auto_vacuum = NONE');
    await database.raw('VACUUM');
    await database.raw('PRAGMA journal_mode = WAL');
    await database.raw('PRAGMA secure_delete = OFF');
    await database.raw('CREATE TABLE ballast (number INTEGER PRIMARY KEY, bytes BLOB)');
    await database.raw(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO ballast SELECT i, randomblob(1048576) FROM n`,
      [megabytes],
    );
    await database.raw('DELETE FROM ballast WHERE number % 4 > 0');
  });
  return { configFile, file };
}

async function within<T>(file: string, work: (database: Knex) => Promise<T>): Promise<T> {
  const database = fileDatabase(file).connect();
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

function contentOf(file: string) {
  return within(file, async (database) => ({
    tables: await database('sqlite_master').orderBy('name').pluck('sql'),
    ballast: await database('ballast').select('number', database.raw('hex(substr(bytes, 1, 64)) AS bytes')),
    check: await database.raw('PRAGMA integrity_check'),
  }));
}

function autoVacuumOf(file: string) {
  return within(
    file,
    async (database) => ((await database.raw('PRAGMA auto_vacuum')) as { auto_vacuum: number }[])[0]?.auto_vacuum,
  );
}
