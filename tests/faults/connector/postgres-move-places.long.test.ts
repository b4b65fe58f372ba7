import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { startPostgres } from '../../../scripts/stack/postgres.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { administer } from '../../harness/administer.ts';
import { databaseOn } from '../../harness/database-on-disk.ts';
import {
  connectedTo,
  digestOf,
  emptyTarget,
  MORE_ENTRIES,
  type MovableInstallation,
  type MoveTarget,
  movableInstallation,
  startMove,
  urlOf,
} from '../../harness/move.ts';
import { needs } from '../../harness/needs.ts';
import { startPostgresProxy } from '../../harness/postgres-proxy.ts';
import { mountSmallDisk } from '../../harness/small-disk.ts';
import { tempFolder, tempFolderInMemory } from '../../harness/temp-folder.ts';

const BAD = 78;
/** Size of the disk in MB: less than the tables of a move need; PostgreSQL copies 8 MB for an empty database. */
const DISK_MB = 10;

let own: MovableInstallation;

beforeAll(async () => {
  own = await movableInstallation();
});

beforeEach(() => own.renew());

afterAll(() => own?.[Symbol.asyncDispose]());

const ended = (status: number, line: RegExp) => ({
  exitCode: status,
  stderr: expect.stringMatching(new RegExp(`^homeport-connector: ${line.source}$`)),
});

for (const kind of ['postgres', 'sqlite'] as const) {
  needs('mount namespaces')(
    `a full disk of ${kind} ends a move in one line, and with room again it goes on`,
    async () => {
      await using disk = await mountSmallDisk(DISK_MB);
      await using source = await emptyTarget();
      await using server = kind === 'postgres' ? await databaseOn(disk) : undefined;
      if (server === undefined) await own.move(source.url);
      const before = await digestOf(own.file);
      const from = server === undefined ? source.url : `sqlite:${own.file}`;
      const to = server === undefined ? `sqlite:${join(disk.path, 'moved.db')}` : urlOf(server);
      // Enough room stays free that the tables can be made.
      await writeFile(join(disk.path, 'others'), Buffer.alloc(kind === 'sqlite' ? 7_500_000 : 0));

      const full = await own.move(to, { from });
      await disk.fill();
      const again = await own.move(to, { from });
      await disk.grow(100);
      const done = await own.move(to, { from });

      for (const each of [full, again]) {
        expect(each).toMatchObject(
          ended(1, /database\..*: (has no room: free space|the server’s disk is full: free space)[^\n]*/),
        );
      }
      expect(full.stdout).toContain('not finished: the old database is as it was; the same command resumes the move');
      expect(done).toMatchObject({ exitCode: 0, stderr: '' });
      expect(done.stdout).toContain('a move was begun before: it is resumed');
      expect(await digestOf(own.file)).toBe(before);
    },
  );
}

test('a dry run refuses a target into which the move itself could not write', async () => {
  await using readOnly = await emptyTarget();
  await using foreign = await emptyTarget();
  const { config } = readOnly;
  const server = inject('postgres') ?? raise();
  await administer(server, `ALTER DATABASE ${config.postgres?.database} SET default_transaction_read_only = on`);
  await administer(server, `DO $$ BEGIN CREATE ROLE weak LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$`);
  await administer(server, `REVOKE CREATE, TEMPORARY ON DATABASE ${foreign.config.postgres?.database} FROM PUBLIC`);
  await using filled = await emptyTarget();
  await own.move(filled.url);

  for (const options of [['--dry-run'], []]) {
    expect(await own.move(readOnly.url, { options })).toMatchObject(
      ended(BAD, /database\.postgres: .*: it can be read only: name the primary server, not a standby/),
    );
    expect(await own.move(foreign.url.replace('postgres@', 'weak@'), { options })).toMatchObject(
      ended(BAD, /database\.postgres: .*: role weak may not make tables there: ALTER DATABASE .*/),
    );
    const nowhere = join(own.folder, 'nowhere', 'moved.db');
    expect(await own.move(`sqlite:${nowhere}`, { from: filled.url, options })).toMatchObject(
      ended(1, /database\.sqlite\.file: .*: can’t be made: its directory does not exist/),
    );
    const directory = join(own.folder, 'directory');
    await mkdir(directory, { recursive: true });
    expect(await own.move(`sqlite:${directory}`, { from: filled.url, options })).toMatchObject(
      ended(1, /database\.sqlite\.file: .*: is a directory: name a file/),
    );
    await expect(stat(`${directory}.lock`)).rejects.toThrow('ENOENT');
  }
});

test('a standby is refused as a source, whose users it does not know, and as a target, also by a dry run', async () => {
  await using folder = await tempFolderInMemory();
  const primary = await startPostgres({ folder: folder.path });
  const { port, superuser } = primary;
  await administer({ host: folder.path, port, superuser }, 'CREATE DATABASE moved TEMPLATE template0');
  const url = `postgres://${superuser}@${encodeURIComponent(folder.path)}:${port}/moved`;
  expect(await own.move(url)).toMatchObject({ exitCode: 0 });
  await administer({ host: folder.path, port, superuser }, 'CREATE DATABASE free TEMPLATE template0');
  await primary.stop();
  await writeFile(join(folder.path, 'data', 'standby.signal'), '');
  const standby = await startPostgres({ folder: folder.path, port });
  try {
    for (const options of [['--dry-run'], []]) {
      const file = join(own.folder, 'from-standby.db');
      expect(await own.move(`sqlite:${file}`, { from: url, options })).toMatchObject(
        ended(BAD, /database\.postgres: .*: is a standby, which does not know .*: name the primary server/),
      );
      expect(await own.move(url.replace(/moved$/, 'free'), { options })).toMatchObject(
        ended(BAD, /database\.postgres: .*: it can be read only: name the primary server, not a standby/),
      );
    }
  } finally {
    await standby.stop();
  }
});

for (const end of ['source', 'target'] as const) {
  test(`a ${end} that does not answer any more in the middle of a statement ends a move in one line, and it goes on later`, async () => {
    await using folder = await tempFolder();
    await using filled = await emptyTarget();
    await own.move(filled.url);
    await using empty = await emptyTarget('', migratedTemplate());
    const held = end === 'source' ? filled : empty;
    const { port } = held.config.postgres ?? raise();
    await using proxy = await startPostgresProxy(folder.path, inject('postgres') ?? raise());
    const through = held.url.replace(/@[^:/]+:/, `@${encodeURIComponent(folder.path)}:`);
    const file = join(own.folder, 'hung.db');
    const [from, to] = end === 'source' ? [through, `sqlite:${file}`] : [`sqlite:${own.file}`, through];
    await using there = await connectedTo(held);
    await using lock = await lockedTable(there.database, end);

    const moving = startMove(own.configFile, from, to);
    await waitFor('the move waits for the lock', () => lock.isWaitedFor());
    proxy.hang();
    const { exitCode, stderr } = await moving;

    expect({ exitCode, stderr }).toMatchObject(
      ended(
        1,
        new RegExp(
          `database\\.postgres: test_\\w+ at .* port ${port}: does not answer: see that the server runs and listens there`,
        ),
      ),
    );
    await lock.free();
    const direct = end === 'source' ? { to, from: held.url } : { to: held.url, from };
    expect(await own.move(direct.to, { from: direct.from })).toMatchObject({ exitCode: 0, stderr: '' });
  });
}

/** A source waits before it is read, and a target before rows are copied: in statements without a deadline of their own. */
async function lockedTable(database: Knex, end: 'source' | 'target') {
  const lock = await database.transaction();
  const [table, mode] = end === 'source' ? ['totals', 'ACCESS EXCLUSIVE'] : ['leases', 'SHARE'];
  await lock.raw(`LOCK TABLE ${table} IN ${mode} MODE`);
  const free = async (): Promise<void> => {
    if (!lock.isCompleted()) await lock.rollback();
  };
  return {
    isWaitedFor: async () => {
      const { rows } = await lock.raw(`SELECT 1 FROM pg_locks WHERE relation = '${table}'::regclass AND NOT granted`);
      return rows.length > 0;
    },
    free,
    [Symbol.asyncDispose]: free,
  };
}

/** A move that was begun, and ended with some of the entries. */
async function begunMove(): Promise<MoveTarget> {
  const target = await emptyTarget('', migratedTemplate());
  const { database, [Symbol.asyncDispose]: disconnect } = await connectedTo(target);
  await database.raw(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN IF NEW.entry_id = ''ent_more${MORE_ENTRIES - 1_000}'' THEN RAISE EXCEPTION ''no''; END IF; RETURN NEW; END';
    CREATE TRIGGER refuse BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION refuse()`);
  expect(await own.move(target.url)).toMatchObject({ exitCode: 1 });
  await database.raw('DROP FUNCTION refuse CASCADE');
  await disconnect();
  return target;
}

/** Differences that another version leaves when it has begun a move, and the message about each. */
const OTHER_VERSIONS = [
  [
    'has more tables',
    "INSERT INTO knex_migrations (name, batch, migration_time) VALUES ('0999-new', 9, now())",
    /a newer version of homeport-connector has changed it \(0999-new\): install that version/,
  ],
  [
    'has fewer tables',
    'DELETE FROM knex_migrations WHERE name = (SELECT max(name) FROM knex_migrations)',
    /another version has begun to move a database into it/,
  ],
  [
    'keeps more of its progress',
    'ALTER TABLE unfinished_move ADD COLUMN version text',
    /another version has begun to move a database into it/,
  ],
  [
    'keeps less of its progress',
    'ALTER TABLE unfinished_move DROP COLUMN last_key',
    /another version has begun to move a database into it/,
  ],
  [
    'sums up otherwise',
    "UPDATE unfinished_move SET source_checksum = 'x'",
    /holds a part of another database than .*, or another version has begun the move \(table accounts differs\)/,
  ],
] as const;

test('a move that another version has begun is refused in one line, also by a dry run', async () => {
  await using begun = await begunMove();
  for (const [version, sql, line] of OTHER_VERSIONS) {
    await using copy = await emptyTarget('', begun.config.postgres?.database);
    const there = await connectedTo(copy);
    await there.database.raw(sql);
    await there[Symbol.asyncDispose]();
    for (const options of [['--dry-run'], []]) {
      const { exitCode, stderr } = await own.move(copy.url, { options });

      expect([version, exitCode, stderr.split('\n').length], stderr).toEqual([version, BAD, 1]);
      expect(stderr).toMatch(line);
      expect(stderr).toMatch(/make it anew \(dropdb, createdb\), and run this again$/);
    }
  }
  expect(await own.move(begun.url)).toMatchObject({ exitCode: 0, stderr: '' });
});

const migratedTemplate = (): string => inject('postgres')?.migrated ?? raise();

function raise(): never {
  throw new Error('there is no PostgreSQL in this run');
}
