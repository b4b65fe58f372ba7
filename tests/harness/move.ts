import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { execa } from 'execa';
import type { Knex } from 'knex';
import { inject } from 'vitest';
import { migrateDatabase } from '../../src/connector/store/database.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { lonelyConfig } from './lonely-connector.ts';
import { RECORDED, RECORDINGS } from './recorded-database.ts';
import { tempFolder } from './temp-folder.ts';
import { fileDatabase, serverDatabase, type TestDatabase } from './test-database.ts';

const MOVE_DEADLINE_MS = 240_000;

/** The recording that is moved. */
export const MOVED_RECORDING = '0017';

/** Entries beside those of the recording: more than a move copies at once. */
export const MORE_ENTRIES = 4_500;

export type MoveTarget = TestDatabase & { url: string };

/**
 * An empty database on the server of the run, with its name as a move takes it.
 * @param where further options of CREATE DATABASE
 * @param template the database that it begins as
 */
export async function emptyTarget(where = '', template = 'template0'): Promise<MoveTarget> {
  const server = inject('postgres');
  if (server === undefined) throw new Error('there is no PostgreSQL in this run');
  const made = await serverDatabase(server, { where, template });
  return { ...made, url: urlOf(made) };
}

/** The name of a database on a server, as a move takes it. */
export function urlOf({ config }: TestDatabase): string {
  const { host, port, database, user } = config.postgres ?? { host: '', port: 0, database: '', user: '' };
  return `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`;
}

/** Another program that looks into the target. */
export async function connectedTo(target: TestDatabase): Promise<AsyncDisposable & { database: Knex }> {
  const database = target.connect();
  return { database, [Symbol.asyncDispose]: () => database.destroy() };
}

/** A move as a process, which may be killed. */
export function startMove(configFile: string, from: string, to: string, ...options: string[]) {
  const words = ['migrate', '--config', configFile, '--from', from, '--to', to, ...options];
  return execa('node_modules/.bin/node', ['dist/connector.mjs', ...words], {
    reject: false,
    timeout: MOVE_DEADLINE_MS,
  });
}

export async function digestOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

/** An installation on SQLite that is to move: a recording with more entries, and its keys. */
export interface MovableInstallation extends AsyncDisposable {
  folder: string;
  configFile: string;
  /** A copy of the database, which a test may damage. */
  file: string;
  /** Makes the copy anew. */
  renew(): Promise<void>;
  /** Looks into the copy. */
  inFile<T>(work: (database: Knex) => Promise<T>): Promise<T>;
  /** Moves the copy to `to`. */
  move(
    to: string,
    changes?: { from?: string; configFile?: string; options?: string[] },
  ): Promise<{ exitCode: number | undefined; stdout: string; stderr: string }>;
  /** A configuration in a folder of its own. */
  configIn(name: string, changes?: Record<string, unknown>): Promise<string>;
}

export async function movableInstallation(): Promise<MovableInstallation> {
  const folder = await tempFolder();
  const recording = join(RECORDINGS, MOVED_RECORDING, 'sqlite');
  const [full, file, keysFile] = ['full.db', 'moved.db', 'keys.json'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(full, gunzipSync(await readFile(join(recording, RECORDED.database))), { mode: 0o600 });
  await migrateDatabase({ sqlite: { file: full } }, systemClock);
  const database = fileDatabase(full).connect();
  await fill(database);
  await database.destroy();
  await copyFile(join(recording, RECORDED.keys), keysFile);
  await chmod(keysFile, 0o600);
  const configFile = await lonelyConfig(folder.path, { keysFile });
  return {
    folder: folder.path,
    configFile,
    file,
    renew: async () => {
      for (const leftover of ['', '-wal', '-shm']) await rm(file + leftover, { force: true });
      await copyFile(full, file);
    },
    inFile: async (work) => {
      const copy = fileDatabase(file).connect();
      try {
        return await work(copy);
      } finally {
        await copy.destroy();
      }
    },
    move: async (to, { from = `sqlite:${file}`, configFile: config = configFile, options = [] } = {}) => {
      const { exitCode, stdout, stderr } = await startMove(config, from, to, ...options);
      return { exitCode, stdout, stderr };
    },
    configIn: async (name, changes = {}) => {
      await mkdir(join(folder.path, name), { recursive: true });
      return lonelyConfig(join(folder.path, name), changes);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Texts of many kinds in many rows, and numbers as great as they may be. */
async function fill(database: Knex): Promise<void> {
  await database.raw(
    `INSERT INTO entries (entry_id, account_id, fingerprint, network, channel, kind, sender, text, text_folded, event_at, observed_at, timestamp_source)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MORE_ENTRIES})
     SELECT 'ent_more' || i, (SELECT min(account_id) FROM accounts), 'more' || i, 'main', '#room', 'message', 'bob',
       ?, '', ${Number.MAX_SAFE_INTEGER} - i, 1000 + i, 'server' FROM n`,
    ['\uFEFFzwölf 🦊 \u202E"quoted"\\ \n\u0007'],
  );
  // Rows that retention has removed had numbers, too.
  await database('entries').where('entry_id', `ent_more${MORE_ENTRIES}`).delete();
}
