import { chmod, chown, lchown, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import knex from 'knex';
import { expect, test } from 'vitest';
import { lonelyConfig, runConnector } from '../../harness/lonely-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** Root reads every file unless it may not; others may not anyway. */
const WITHOUT_PRIVILEGES = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--'];

const NOBODY = 65_534;

const cases: Case[] = [
  {
    why: 'a file that is not a database',
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
  test(`${why} is one clear line, and the file is left unchanged`, async () => {
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

test('files that root makes belong to the owner of the directory', async () => {
  await using folder = await tempFolder();
  const directory = join(folder.path, 'state');
  await chmod(folder.path, 0o755);
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

const isRoot = process.getuid?.() === 0;

/** A directory that belongs to another account, beside a folder of root's: what that account plants, and what root runs. */
async function planted(folder: string, plant: (file: string, rootFolder: string) => Promise<unknown>) {
  const [directory, rootFolder] = [join(folder, 'state'), join(folder, 'of-root')];
  await chmod(folder, 0o755);
  await mkdir(directory, { mode: 0o700 });
  await mkdir(rootFolder);
  await chown(directory, NOBODY, NOBODY);
  const file = join(directory, 'test.db');
  await plant(file, rootFolder);
  await lchown(file, NOBODY, NOBODY);
  return { rootFolder, configFile: await lonelyConfig(folder, { database: { sqlite: { file } } }) };
}

/** Name, mode and content of the files in a folder. */
async function contentOf(folder: string) {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const { mode } = await stat(join(folder, name));
      return { name, mode, bytes: (await readFile(join(folder, name))).toString('base64') };
    }),
  );
}

/** A database of root's, as another program keeps it. */
async function linkToDatabase(file: string, rootFolder: string): Promise<void> {
  const target = join(rootFolder, 'root.db');
  const database = knex({ client: 'sqlite3', connection: { filename: target }, useNullAsDefault: true });
  await database.schema.createTable('mine', (table) => table.text('x'));
  await database.destroy();
  await chmod(target, 0o640);
  await symlink(target, file);
}

const linkToFile = async (file: string, rootFolder: string): Promise<void> => {
  await writeFile(join(rootFolder, 'file'), 'of root', { mode: 0o640 });
  await symlink(join(rootFolder, 'file'), file);
};
const linkToNothing = (file: string, rootFolder: string): Promise<void> => symlink(join(rootFolder, 'owned'), file);

for (const command of ['doctor', 'migrate']) {
  for (const [what, plant] of [
    ['a file', linkToFile],
    ['a database', linkToDatabase],
    ['a place where nothing is', linkToNothing],
  ] as const) {
    test.runIf(isRoot)(
      `${command} run by root leaves ${what} of root alone to which the account made a link`,
      async () => {
        await using folder = await tempFolder();
        const { rootFolder, configFile } = await planted(folder.path, plant);
        const before = await contentOf(rootFolder);

        const { exitCode, isTerminated } = await runConnector(configFile, command);

        expect([exitCode, isTerminated]).toEqual([1, false]);
        expect(await contentOf(rootFolder)).toEqual(before);
      },
    );
  }

  test.runIf(isRoot)(`${command} does not wait for a pipe in the place of the database`, async () => {
    await using folder = await tempFolder();
    const { configFile } = await planted(folder.path, (file) => execa('mkfifo', [file]));

    const { exitCode, stdout, stderr } = await runConnector(configFile, command);

    expect(exitCode).toBe(1);
    expect(`${stdout}${stderr}`).toMatch(/test\.db: is not a regular file: name another one/);
  });
}

test.runIf(isRoot)('where only root can pass, as for a dynamic user, doctor looks and migrate refuses', async () => {
  await using folder = await tempFolder();
  const { rootFolder, configFile } = await planted(folder.path, linkToDatabase);
  await chmod(folder.path, 0o700);
  const before = await contentOf(rootFolder);

  const doctor = await runConnector(configFile, 'doctor');
  const migrate = await runConnector(configFile, 'migrate');

  expect(doctor.stdout).toMatch(/database .*is not a regular file/);
  expect([migrate.exitCode, migrate.stderr]).toEqual([1, expect.stringMatching(/restart homeport-connector/)]);
  expect(await contentOf(rootFolder)).toEqual(before);
});

test.runIf(isRoot)(
  'where only root can pass, doctor still examines the database that belongs to the account',
  async () => {
    await using folder = await tempFolder();
    const { configFile } = await planted(folder.path, (file) => writeFile(file, ''));
    const migrated = await runConnector(configFile, 'migrate');
    await chmod(folder.path, 0o700);

    const { stdout } = await runConnector(configFile, 'doctor');

    expect(migrated.exitCode).toBe(0);
    expect(stdout).toMatch(/ok +database +opens/);
  },
);

test('doctor leaves a database and its directory as they are', async () => {
  await using folder = await tempFolder();
  const directory = join(folder.path, 'data');
  await mkdir(directory);
  const file = join(directory, 'test.db');
  const configFile = await lonelyConfig(folder.path, { database: { sqlite: { file } } });
  await runConnector(configFile, 'migrate');
  await chmod(file, 0o640);
  const before = await contentOf(directory);

  const { stdout } = await runConnector(configFile, 'doctor');

  expect(stdout).toMatch(/ok +database +can be written/);
  expect(await contentOf(directory)).toEqual(before);
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

interface Case {
  why: string;
  prepare: (file: string) => Promise<unknown>;
  says: RegExp;
  file?: string;
  through?: readonly string[];
}
