import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { openDatabase } from '../../../src/connector/store/database.ts';
import { newKeys, textOf } from '../../../src/connector/store/key-file.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { runBackupCommand } from '../../harness/backup.ts';
import { lonelyConfig } from '../../harness/lonely-connector.ts';
import { type MovableInstallation, movableInstallation } from '../../harness/move.ts';
import { needs } from '../../harness/needs.ts';
import { RECORDED, RECORDINGS } from '../../harness/recorded-database.ts';
import { mountSmallDisk } from '../../harness/small-disk.ts';
import { connectorCommand } from '../../harness/start-connector.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { fileDatabase } from '../../harness/test-database.ts';

const BAD = 78;
const MEBIBYTE = 2 ** 20;

const readFile = async (recording: string, name: string) => readFileSync(join(RECORDINGS, recording, 'sqlite', name));

let full: MovableInstallation;

beforeAll(async () => {
  full = await movableInstallation();
  return () => full[Symbol.asyncDispose]();
});

const backUp = ({ configFile, backup }: Saved, ...words: string[]) =>
  runBackupCommand(configFile, 'backup', '--to', backup, ...words);
const restore = ({ configFile, backup }: Saved, ...words: string[]) =>
  runBackupCommand(configFile, 'restore', '--from', backup, ...words);

/** Returns the files that a run has left and should have removed. */
const leftIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.includes('homeport-backup') || name.includes('.restore'));

for (const [why, prepare, says] of [
  ['another backup', async () => undefined, /holds a backup already/],
  [
    'a directory with something else',
    async ({ backup }: Saved) => {
      await rm(join(backup, 'manifest.json'));
    },
    /is not empty/,
  ],
  [
    'a file',
    async ({ backup }: Saved) => {
      await rm(backup, { recursive: true });
      await writeFile(backup, 'mine');
    },
    /is a file/,
  ],
  [
    'a link to an empty directory',
    async ({ backup, folder }: Saved) => {
      await rm(backup, { recursive: true });
      await mkdir(join(folder, 'elsewhere'));
      await symlink(join(folder, 'elsewhere'), backup);
    },
    /is a link/,
  ],
] as const) {
  test(`${why} is not written over`, async () => {
    await using made = await saved();
    await prepare(made);
    const before = readdirSync(made.folder);

    const { exitCode, stderr, stdout } = await backUp(made);

    expect([exitCode, stdout]).toEqual([BAD, '']);
    expect(stderr).toMatch(says);
    expect(stderr).toContain('nothing is written over: name a directory that does not exist yet');
    expect(readdirSync(made.folder)).toEqual(before);
  });
}

test('a place whose directory is missing, as of a disk that is not mounted, is named; an empty directory is filled', async () => {
  await using made = await installation();
  const missing = await runBackupCommand(made.configFile, 'backup', '--to', join(made.folder, 'disk', 'today'));
  expect(missing.stderr).toMatch(/--to: \S+today: the directory above it does not exist: make it, or mount it/);
  expect(existsSync(join(made.folder, 'disk'))).toBe(false);

  await mkdir(made.backup);
  expect(await backUp(made)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(statSync(made.backup).mode & 0o777).toBe(0o700);
});

test('a run without options for the place or the keys changes no file', async () => {
  await using made = await installation();
  expect(await runBackupCommand(made.configFile, 'backup')).toMatchObject({ exitCode: 64, stdout: '' });
  expect(await runBackupCommand(made.configFile, 'restore')).toMatchObject({ exitCode: 64, stdout: '' });
  await rm(made.keysFile);
  const lost = await backUp(made);
  expect([lost.exitCode, existsSync(made.backup)]).toEqual([BAD, false]);
  expect(lost.stderr).toContain('has no keys.json, without which nothing that is encrypted in the database opens');
});

test('keys that do not belong to the database make no backup', async () => {
  await using made = await installation();
  await writeFile(made.keysFile, textOf(newKeys()));

  const { exitCode, stderr } = await backUp(made);

  expect([exitCode, existsSync(made.backup), leftIn(made.folder)]).toEqual([BAD, false, []]);
  expect(stderr).toMatch(/is encrypted with other keys than those of \S+keys\.json/);
});

for (const [why, damage, says] of [
  [
    'a byte of the database that has changed',
    ({ backup }: Saved) => flip(join(backup, 'connector.db'), 5_000),
    /connector\.db is not what was written \(its checksum differs\)/,
  ],
  [
    'a database that is cut off',
    ({ backup }: Saved) => cut(join(backup, 'connector.db')),
    /connector\.db is not what was written/,
  ],
  [
    'other keys beside the database',
    ({ backup }: Saved) => writeFileSync(join(backup, 'keys.json'), textOf(newKeys())),
    /keys\.json is not what was written/,
  ],
  [
    'a manifest that is damaged',
    ({ backup }: Saved) => writeFileSync(join(backup, 'manifest.json'), '{'),
    /is no backup of homeport-connector, or manifest\.json is damaged/,
  ],
  [
    'a backup in the form of a later version',
    ({ backup }: Saved) => manifest(backup, { format: 2, version: '9.0.0' }),
    /a newer version of homeport-connector has made it \(9\.0\.0, this is [\d.]+\): install that version, or take an earlier backup$/,
  ],
  [
    'a backup with a step of the schema that is not known',
    ({ backup }: Saved) => manifest(backup, { version: '8.0.0', migrations: ['9999-from-the-future'] }),
    /a newer version of homeport-connector has made it \(8\.0\.0/,
  ],
  [
    'the address of another installation',
    ({ configFile }: Saved) => edit(configFile, { baseUrl: 'https://other.example' }),
    /belongs to the connector at \S+, and baseUrl is https:\/\/other\.example/,
  ],
] as const) {
  test(`${why} is refused in one sentence before anything changes`, async () => {
    await using made = await saved('0029');
    damage(made);
    const [before, names] = [await contentOf(made), readdirSync(join(made.folder, 'state'))];

    const { exitCode, stderr, stdout } = await restore(made, '--replace');

    expect([exitCode, stdout]).toEqual([BAD, '']);
    expect(stderr).toMatch(says);
    expect(stderr.split('\n')).toHaveLength(1);
    expect(await contentOf(made)).toEqual(before);
    expect(readdirSync(join(made.folder, 'state')).filter((name) => !name.endsWith('.lock'))).toEqual(
      names.filter((name) => !name.endsWith('.lock')),
    );
  });
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

const cut = (file: string): void => writeFileSync(file, readFileSync(file).subarray(0, -4_096));
const manifest = (backup: string, changes: Record<string, unknown>): void =>
  edit(join(backup, 'manifest.json'), changes);
const edit = (file: string, changes: Record<string, unknown>): void =>
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...changes }));

test('a backup without keys opens with those that are named, with those in place, and with no others', async () => {
  await using made = await installation();
  const { stdout } = await backUp(made, '--without-keys');
  expect(stdout).toContain('the keys are not in it');
  expect(readdirSync(made.backup).sort()).toEqual(['connector.db', 'manifest.json']);
  const kept = join(made.folder, 'kept.json');
  await cp(made.keysFile, kept);
  await writeFile(made.keysFile, textOf(newKeys()));

  const wrong = await restore(made, '--replace');
  expect([wrong.exitCode, leftIn(join(made.folder, 'state'))]).toEqual([BAD, []]);
  expect(wrong.stderr).toMatch(
    /is encrypted with other keys than those of \S+keys\.json \(.*--keys FILE names others\)/,
  );

  const named = await restore(made, '--replace', '--keys', kept);
  expect(named).toMatchObject({ exitCode: 0, stderr: '' });
  expect(named.stdout).toContain('the keys of before are kept: ');
  expect(readFileSync(made.keysFile, 'utf8')).toBe(readFileSync(kept, 'utf8'));
  expect(statSync(made.keysFile).mode & 0o777).toBe(0o600);
  // From now on the keys in place are the right ones.
  expect((await restore(made, '--replace')).exitCode).toBe(0);
});

test('restores that follow each other within a second keep each database and each set of keys under a name of its own', async () => {
  await using made = await saved();
  const state = join(made.folder, 'state');
  const kept = (name: string) => readdirSync(state).filter((entry) => entry.startsWith(`${name}.before-restore`));
  const replaced: string[] = [];

  // Four take more than a second, so that two at least begin in the same one.
  for (let time = 0; time < 4; time += 1) {
    replaced.push(textOf(newKeys()));
    await writeFile(made.keysFile, replaced.at(-1) ?? '');
    expect(await restore(made, '--replace')).toMatchObject({ exitCode: 0, stderr: '' });
  }

  expect(kept('connector.db')).toHaveLength(4);
  expect(kept('keys.json').map((name) => readFileSync(join(state, name), 'utf8'))).toEqual(
    expect.arrayContaining(replaced),
  );
});

test('a process that has the database keeps a restore out, and is named', async () => {
  await using made = await saved();
  const opened = await openDatabase({ sqlite: { file: made.file } }, systemClock);
  const again = await runBackupCommand(made.configFile, 'backup', '--to', `${made.backup}2`);

  const { exitCode, stderr } = await restore(made, '--replace');
  await opened.close();

  expect(again).toMatchObject({ exitCode: 0, stderr: '' });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/process \d+ on \S+ uses it: stop every connector .* nothing was changed$/);
  expect((await restore(made, '--replace')).exitCode).toBe(0);
});

test('the backup of an earlier version is brought up to date, and what was under way then is not done again', async () => {
  await using made = await installation('0028');
  expect(await backUp(made)).toMatchObject({ exitCode: 0, stderr: '' });
  await rm(made.file);

  const { exitCode, stdout, stderr } = await restore(made);

  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/brought up to date: \d+ steps, up to \d{4}-/);
  const database = fileDatabase(made.file).connect();
  expect(await database('message_parts').where('status', 'pending')).toEqual([]);
  expect(await database('messages').where('status', 'pending')).toEqual([]);
  expect(await database('deliveries')).toEqual([]);
  await database.destroy();
});

test('a database that is damaged is kept aside when a backup takes its place', async () => {
  await using made = await saved();
  const before = await contentOf(made);
  await writeFile(made.file, 'no database any more');

  const refused = await restore(made);
  const { stdout, stderr, exitCode } = await restore(made, '--replace');

  expect(refused.stderr).toContain('is not empty (it is damaged): with --replace');
  expect([exitCode, stderr]).toEqual([0, '']);
  const kept = /kept: (\S+);/.exec(stdout)?.[1] ?? '';
  expect(readFileSync(kept, 'utf8')).toBe('no database any more');
  expect(await contentOf(made)).toEqual(before);
});

test('a backup that is killed at any moment leaves no file that looks finished, and the next run removes the rest', async () => {
  await using made = await installation();
  const [program, ...args] = connectorCommand(made.configFile, 'backup');
  const draft = () => readdirSync(made.folder).find((name) => name.startsWith('.homeport-backup-')) ?? 'none';
  const sizeOf = (name: string) => statSync(join(made.folder, draft(), name), { throwIfNoEntry: false })?.size ?? -1;

  for (const reached of [
    () => draft() !== 'none',
    () => sizeOf('connector.db') >= 0,
    () => sizeOf('connector.db') >= MEBIBYTE / 2,
    () => sizeOf('keys.json') >= 0,
    () => sizeOf('manifest.json') >= 0,
  ]) {
    const command = execa(program, [...args, '--to', made.backup], { reject: false });
    let hasEnded = false;
    void command.then(() => {
      hasEnded = true;
    });
    await waitFor('it has come so far', () => hasEnded || reached());
    command.kill('SIGKILL');
    await command;
    // The name stands for a whole backup, if it exists.
    if (existsSync(made.backup)) {
      expect(readdirSync(made.backup)).toEqual(expect.arrayContaining(['connector.db', 'keys.json', 'manifest.json']));
      await rm(made.backup, { recursive: true });
    }
  }

  expect(await backUp(made)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(leftIn(made.folder)).toEqual([]);
});

test('a backup that a signal ends leaves no file', async () => {
  await using made = await installation();
  const [program, ...args] = connectorCommand(made.configFile, 'backup');
  const command = execa(program, [...args, '--to', made.backup], { reject: false });
  await waitFor('it has begun', () => leftIn(made.folder).length > 0);
  command.kill('SIGTERM');
  const { exitCode, stderr } = await command;

  expect([exitCode, existsSync(made.backup), leftIn(made.folder)]).toEqual([143, false, []]);
  expect(stderr).toContain('ended before it was complete, and nothing was left');
});

test('killed at any moment a restore leaves the state of before or the restored one, each with keys that open it', async () => {
  await using made = await saved();
  await using other = await installation('0029');
  const state = join(made.folder, 'state');
  const restored = await contentOf(made);
  const [program, ...args] = connectorCommand(made.configFile, 'restore');
  const staged = () => statSync(`${made.file}.restore`, { throwIfNoEntry: false })?.size ?? -1;

  for (const reached of [
    () => staged() >= 0,
    () => staged() >= MEBIBYTE / 2,
    () => existsSync(`${made.file}.restore-wal`),
    () => readdirSync(state).some((name) => name.startsWith('keys.json.before-restore')),
    () => readdirSync(state).some((name) => name.startsWith('connector.db.before-restore')),
  ]) {
    // Another installation's database and keys are there.
    for (const name of readdirSync(state)) await rm(join(state, name));
    await copyFile(other.file, made.file);
    await copyFile(other.keysFile, made.keysFile);
    await chmod(made.keysFile, 0o600);
    const before = await contentOf(made);
    const command = execa(program, [...args, '--from', made.backup, '--replace'], { reject: false });
    let hasEnded = false;
    void command.then(() => {
      hasEnded = true;
    });
    await waitFor('it has come so far', () => hasEnded || reached());
    command.kill('SIGKILL');
    await command;

    expect([before, restored]).toContainEqual(await contentOf(made));
    const isRestored = JSON.stringify(await contentOf(made)) === JSON.stringify(restored);
    const config = await configIn(join(made.folder, 'look'), {
      stateDirectory: state,
      baseUrl: await addressOf(isRestored ? '0017' : '0029'),
    });
    const look = join(made.folder, `look-${Date.now()}`);
    expect(await runBackupCommand(config, 'backup', '--to', look)).toMatchObject({ exitCode: 0, stderr: '' });
  }
  expect((await restore(made, '--replace')).exitCode).toBe(0);
  expect(leftIn(state)).toEqual([]);
});

needs('mount namespaces')('a full disk is named, and no file is left on it', async () => {
  await using made = await installation();
  await using disk = await mountSmallDisk(8);
  const to = join(disk.path, 'backup');
  await disk.fill();
  const full = await runBackupCommand(made.configFile, 'backup', '--to', to);
  expect(full.stderr).toMatch(/--to: \S+backup: (the backup needs \d+ MiB, and 0 MiB are free there|the disk is full)/);
  expect(readdirSync(disk.path)).toEqual(['ballast']);
  await disk.free();
  expect((await runBackupCommand(made.configFile, 'backup', '--to', to)).exitCode).toBe(0);

  // A restore needs room beside the database, too.
  await using small = await mountSmallDisk(2);
  const config = await configIn(join(made.folder, 'small'), {
    baseUrl: await addressOf('0017'),
    stateDirectory: join(small.path, 'state'),
  });
  await mkdir(join(small.path, 'state'), { mode: 0o700 });
  const refused = await runBackupCommand(config, 'restore', '--from', to);
  expect(refused.stderr).toMatch(
    /its database needs \d+ MiB in \S+, where \d+ MiB are free: free space there; nothing was changed/,
  );
});

test('a limit to the size of files ends a backup without remains', async () => {
  await using made = await installation();
  const [program, ...args] = connectorCommand(made.configFile, 'backup');
  const limited = ['-c', 'ulimit -f 512 && exec "$@"', 'sh', program, ...args, '--to', made.backup];

  const { exitCode, stderr } = await execa('bash', limited, { reject: false });

  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/--to: \S+backup: /);
  expect([existsSync(made.backup), leftIn(made.folder)]).toEqual([false, []]);
});

/** @param recording makes the database as an earlier version left it */
async function installation(recording?: string): Promise<Saved> {
  const folder = await tempFolder();
  const state = join(folder.path, 'state');
  await mkdir(state, { mode: 0o700 });
  const [file, keysFile] = [join(state, 'connector.db'), join(state, 'keys.json')];
  if (recording === undefined) await copyOf(full, file);
  else await writeFile(file, gunzipSync(await readFile(recording, RECORDED.database)), { mode: 0o600 });
  await writeFile(keysFile, await readFile(recording ?? '0017', RECORDED.keys), { mode: 0o600 });
  const configFile = await lonelyConfig(folder.path, { baseUrl: await addressOf(recording ?? '0017') });
  return {
    ...{ folder: folder.path, configFile, file, keysFile, backup: join(folder.path, 'backup') },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function addressOf(recording: string): Promise<string> {
  return (JSON.parse((await readFile(recording, RECORDED.facts)).toString()) as { baseUrl: string }).baseUrl;
}

async function copyOf(from: MovableInstallation, file: string): Promise<void> {
  await from.renew();
  await copyFile(from.file, file);
}

/** Makes a backup, by default of a database that no connector has started on since it knows its address. */
async function saved(recording?: string): Promise<Saved> {
  const made = await installation(recording);
  expect(await backUp(made)).toMatchObject({ exitCode: 0, stderr: '' });
  return made;
}

/** All rows that people know, and what else is beside the database. */
async function contentOf({ file }: Saved) {
  const database = fileDatabase(file).connect();
  try {
    return {
      entries: await database('entries').orderBy('row').select('entry_id', 'text'),
      accounts: await database('accounts').orderBy('account_id').pluck('login'),
      check: await database.raw('PRAGMA integrity_check'),
    };
  } finally {
    await database.destroy();
  }
}

async function configIn(folder: string, changes: Record<string, unknown>): Promise<string> {
  await mkdir(folder, { recursive: true });
  return lonelyConfig(folder, changes);
}

/** An installation with a database of some size, its keys, and a backup of it. */
interface Saved extends AsyncDisposable {
  folder: string;
  configFile: string;
  file: string;
  backup: string;
  keysFile: string;
}
