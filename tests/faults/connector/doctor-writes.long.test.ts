import { chmod, chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { databaseOn } from '../../harness/database-on-disk.ts';
import { lonelyConfig, runConnector } from '../../harness/lonely-connector.ts';
import { needs } from '../../harness/needs.ts';
import { restoreRecording } from '../../harness/recorded-database.ts';
import { mountSmallDisk, type SmallDisk } from '../../harness/small-disk.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import type { TestDatabase } from '../../harness/test-database.ts';

/** PostgreSQL copies 8 MB for an empty database. */
const DISK_MB = 24;

/** Schema of an earlier version, which the start has to bring up to date. */
const EARLIER = '0029';

/** An account that root may not act as here. */
const NOBODY = 65_534;

const databaseLine = async (configFile: string) =>
  (await runConnector(configFile, 'doctor')).stdout.split('\n').find((line) => / database /.test(line));

needs('mount namespaces')(
  'doctor says of a database on a full disk, and of one that can only be read, what to do, and leaves nothing in it',
  async () => {
    await using folder = await tempFolder();
    await using disk = await mountSmallDisk(DISK_MB);
    await using database = await databaseOn(disk);
    const configFile = await lonelyConfig(folder.path, { database: database.config });
    expect(await databaseLine(configFile)).toMatch(/^ok .*(not there yet)|^WRONG .*lacks /);
    expect(await runConnector(configFile, 'migrate')).toMatchObject({ exitCode: 0 });
    const files = await readdir(disk.path);

    expect(await databaseLine(configFile)).toMatch(/^ok .* can be written, and its schema is that of this version/);
    expect(await readdir(disk.path)).toEqual(files);
    const connection = database.connect();
    const tables = connection.client.config.client === 'pg' ? 'pg_tables' : 'sqlite_master';
    const column = tables === 'pg_tables' ? 'tablename' : 'name';
    expect(await connection(tables).where(column, 'like', 'scratch%')).toEqual([]);
    await connection.destroy();

    await disk.fill();
    expect(await databaseLine(configFile)).toMatch(/^WRONG .* (has no room: free space|disk is full: free space)/);

    await disk.free();
    expect(await databaseLine(configFile)).toMatch(/^ok /);

    await makeReadOnly(disk, database);
    expect(await databaseLine(configFile)).toMatch(
      /^WRONG .* (is on a file system that can’t be written: choose another place|it can be read only: name the primary)/,
    );
  },
);

needs('mount namespaces')(
  'doctor by root says that the disk is full where only root reaches the directory of another account',
  async () => {
    await using folder = await tempFolder();
    await using disk = await mountSmallDisk(DISK_MB);
    await chmod(disk.path, 0o700);
    const stateDirectory = join(disk.path, 'state');
    await mkdir(stateDirectory);
    const configFile = await lonelyConfig(folder.path, { stateDirectory });
    expect(await runConnector(configFile, 'migrate')).toMatchObject({ exitCode: 0 });
    await Promise.all(
      [stateDirectory, ...(await readdir(stateDirectory)).map((name) => join(stateDirectory, name))].map((path) =>
        chown(path, NOBODY, NOBODY),
      ),
    );

    expect(await databaseLine(configFile)).toMatch(/^ok .* and there is room; only its account can try to write/);
    await disk.fill();
    expect(await databaseLine(configFile)).toMatch(/^WRONG .* has no room -> free space there/);
    await disk.free();
    await execa('mount', ['-o', 'remount,ro', disk.path]);
    expect(await databaseLine(configFile)).toMatch(/^WRONG .* is on a file system that can’t be written/);
  },
);

needs('mount namespaces')(
  'check-start refuses an update of a database of an earlier version on a full disk, and passes once there is room',
  async () => {
    await using folder = await tempFolder();
    await using disk = await mountSmallDisk(DISK_MB);
    await using database = await databaseOn(disk);
    const { facts, stateDirectory } = await restoreRecording(EARLIER, database, folder.path);
    const configFile = await lonelyConfig(folder.path, {
      baseUrl: facts.baseUrl,
      stateDirectory,
      database: database.config,
    });
    const found = async () => {
      const { stdout } = await runConnector(configFile, 'check-start');
      return stdout.split('\n').find((line) => / database /.test(line));
    };

    expect(await found()).toMatch(/^ok .* can be written; the start brings it up to date$/);
    await disk.fill();
    expect(await found()).toMatch(/^WRONG .* (has no room: free space|disk is full: free space)/);
    await disk.free();
    expect(await found()).toMatch(/^ok .* can be written; the start brings it up to date$/);
  },
);

/** Makes the disk or the database refuse all writes from now on. */
async function makeReadOnly(disk: SmallDisk, database: TestDatabase): Promise<void> {
  if (database.kind === 'sqlite') {
    await execa('mount', ['-o', 'remount,ro', disk.path]);
    return;
  }
  const connection = database.connect();
  await connection.raw(`ALTER DATABASE ${database.config.postgres?.database} SET default_transaction_read_only = on`);
  await connection.destroy();
}
