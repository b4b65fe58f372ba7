import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import knex from 'knex';
import { expect, test } from 'vitest';
import { lonelyConfig, runConnector } from '../../harness/lonely-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Root reads every file unless it may not; others may not anyway. */
const WITHOUT_PRIVILEGES = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--'];

const NOBODY = 65_534;

interface Case {
  why: string;
  prepare: (file: string) => Promise<unknown>;
  says: RegExp;
  file?: string;
  through?: readonly string[];
}

const cases: Case[] = [
  {
    why: 'a file that is no database',
    prepare: (file) => writeFile(file, 'dear diary, '.repeat(500)),
    says: /is not a SQLite database: name another file, or restore it from a backup/,
  },
  {
    why: 'a damaged database',
    prepare: damage,
    says: /is damaged: restore it from a backup/,
  },
  {
    why: 'a file the account may not open',
    prepare: async (file) => {
      await writeFile(file, '');
      await chmod(file, 0);
    },
    says: /may not be opened: give the file and its directory to the connector’s account/,
    through: WITHOUT_PRIVILEGES,
  },
  {
    why: 'a directory the account may not write in',
    prepare: (file) => mkdir(join(file, '..'), { mode: 0o500 }),
    says: /may not be opened: give the file and its directory to the connector’s account/,
    file: 'closed/test.db',
    through: WITHOUT_PRIVILEGES,
  },
  {
    why: 'a directory that is not there',
    prepare: async () => undefined,
    says: /its directory does not exist/,
    file: 'none/test.db',
  },
  { why: 'a directory', prepare: (file) => mkdir(file), says: /is a directory: name a file/ },
];

for (const { why, prepare, says, file: name = 'test.db', through = [] } of cases) {
  test(`${why} is one clear line, and stays as it is`, async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, name);
    await prepare(file);
    const before = await readFile(file).catch(() => undefined);
    const configFile = await lonelyConfig(folder.path, { database: { sqlite: { file } } });

    const { exitCode, stderr } = await runConnector(configFile, 'migrate', through);

    expect(exitCode).toBe(1);
    expect(stderr.split('\n')).toHaveLength(1);
    expect(stderr).toMatch(says);
    expect(stderr).toContain(`database.sqlite.file: ${file}`);
    expect(await readFile(file).catch(() => undefined)).toEqual(before);
  });
}

test('a database that another program has locked is one clear line', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'test.db');
  const configFile = await lonelyConfig(folder.path, { database: { sqlite: { file } } });
  const other = knex({
    client: 'sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
  });
  await other.raw('PRAGMA locking_mode = EXCLUSIVE');
  await other.schema.createTable('mine', (table) => table.text('x'));

  const { exitCode, stderr } = await runConnector(configFile, 'migrate');

  await other.destroy();
  expect(exitCode).toBe(1);
  expect(stderr.split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/is locked by another program: end it/);
});

test('what root makes belongs to whom the directory belongs', async () => {
  await using folder = await tempFolder();
  const directory = join(folder.path, 'state');
  await mkdir(directory);
  if (process.getuid?.() === 0) await chown(directory, NOBODY, NOBODY);
  const configFile = await lonelyConfig(folder.path, { database: { sqlite: { file: join(directory, 'test.db') } } });

  const { exitCode } = await runConnector(configFile, 'migrate');

  expect(exitCode).toBe(0);
  const { uid: owner } = await stat(directory);
  const files = (await readdir(directory)).sort();
  expect(files).toEqual(['test.db', 'test.db.lock']);
  for (const file of files) expect((await stat(join(directory, file))).uid).toBe(owner);
});

/** A database whose pages after the first are noise, as a disk that fails leaves it. */
async function damage(file: string): Promise<void> {
  const database = knex({ client: 'sqlite3', connection: { filename: file }, useNullAsDefault: true });
  await database.schema.createTable('knex_migrations', (table) => table.text('name'));
  await database('knex_migrations').insert({ name: 'x' });
  await database.destroy();
  const bytes = await readFile(file);
  bytes.fill(0xa5, 100, 4_096);
  await writeFile(file, bytes);
}
