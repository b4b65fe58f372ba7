import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Knex } from 'knex';
import { onOneLine, StartError } from '../../../kernel/errors.ts';
import { VERSION } from '../../../kernel/version.ts';
import type { Keys } from '../../ports/keys.ts';
import { type DatabaseChoice, databaseServer } from '../connect/index.ts';
import { sqliteServer } from '../connect/sqlite.ts';
import { type InstallationClaim, readInstallation } from '../installation.ts';
import { alsoOpening, textOf } from '../key-file.ts';
import { copyFile } from './copy-file.ts';
import { copyMoment, openMoment, refusedRows, type WithRights } from './copy-server.ts';
import { type Draft, makeDraft, refusedPlace } from './draft.ts';
import { flush, sumOfPath, writePrivate } from './files.ts';
import { DATABASE_FILE, KEYS_FILE, MANIFEST_FILE, type Manifest, newManifest } from './manifest.ts';
import type { LongWork } from './report.ts';
import { explainedKeys, requireReadable } from './sealed.ts';

export interface BackupOptions {
  choice: DatabaseChoice;
  /** The directory of the backup, which does not exist yet. */
  to: string;
  /** Returns the keys in force; read again each time, because they may be replaced meanwhile. */
  readKeys(): Keys;
  /** Keys and addresses that the database must belong to. */
  claimOf(keys: Keys): InstallationClaim;
  /** Whether the keys are put beside the database. */
  hasKeys: boolean;
  withRights: WithRights;
  /** Milliseconds since 1970. */
  now(): number;
  work: LongWork;
  /** Receives the function that undoes everything, for a signal that ends the process. */
  begun(discard: () => void): void;
}

/** Content of a finished backup. */
export interface Written {
  place: string;
  manifest: Manifest;
  accounts: number;
  entries: number;
  /** Encrypted texts that the keys do not open, as before. */
  unread: number;
}

/**
 * Makes a backup while a connector may serve: a snapshot of its database, and the keys. The directory gets its name
 * when it is complete.
 * @throws StartError, one line, if it fails; then no file is left
 */
export async function writeBackup(options: BackupOptions): Promise<Written> {
  const place = resolve(options.to);
  const keysBefore = options.readKeys();
  const draft = await makeDraft(place, options.begun);
  try {
    const madeAt = new Date(options.now()).toISOString();
    const copy = join(draft.path, DATABASE_FILE);
    await writeDatabase(options, { copy, place });
    const seen = await looked(options, { copy, place, keysBefore });
    flush(copy);
    const written = await complete(options, { draft, copy, madeAt, seen });
    draft.publish();
    return { place, ...written };
  } catch (error) {
    throw refusedPlace(place, error);
  } finally {
    draft.discard();
  }
}

async function writeDatabase(
  { choice, work, withRights }: BackupOptions,
  { copy, place }: { copy: string; place: string },
): Promise<void> {
  const server = databaseServer(choice);
  if ('sqlite' in choice) return copyFile({ file: choice.sqlite.file, server }, { to: copy, place }, work);
  const moment = await openMoment(server, withRights);
  const target = sqliteServer(copy).connect('migrate');
  try {
    await copyMoment(moment, target, work);
    // Merges the log into the file.
    await target.raw('PRAGMA journal_mode = DELETE');
  } catch (error) {
    throw refusedRows(place, error);
  } finally {
    await target.destroy();
    await moment.close();
  }
}

interface Seen {
  keys: Keys;
  migrations: string[];
  installation: Manifest['installation'];
  accounts: number;
  entries: number;
  unread: number;
}

/** Checks whether the copy is sound, and which keys open it. @param keysBefore keys from before the copy was begun */
async function looked(
  options: BackupOptions,
  { copy, place, keysBefore }: { copy: string; place: string; keysBefore: Keys },
): Promise<Seen> {
  const database = sqliteServer(copy).inspect?.() as Knex;
  try {
    await requireSound(database, place);
    const { keys, unread } = await opening(options, { database, keysBefore });
    return {
      ...{ keys, unread, installation: (await readInstallation(database)) ?? null },
      migrations: await database('knex_migrations').orderBy('id').pluck('name'),
      ...{ accounts: await rowsOf(database, 'accounts'), entries: await rowsOf(database, 'entries') },
    };
  } finally {
    await database.destroy();
  }
}

/**
 * Returns the keys that open the copy: those in force, or else those with the keys of before behind them. While texts
 * are encrypted anew, a copy needs keys that may be forgotten when it is complete.
 */
async function opening(
  { choice, readKeys, claimOf }: BackupOptions,
  { database, keysBefore }: { database: Knex; keysBefore: Keys },
): Promise<{ keys: Keys; unread: number }> {
  const now = readKeys();
  const withBefore = alsoOpening(now, keysBefore);
  try {
    return { keys: now, unread: await requireReadable(database, claimOf(now)) };
  } catch (error) {
    if (textOf(withBefore) === textOf(now)) throw explainedKeys(databaseServer(choice).name, error);
  }
  try {
    return { keys: withBefore, unread: await requireReadable(database, claimOf(withBefore)) };
  } catch (error) {
    throw explainedKeys(databaseServer(choice).name, error);
  }
}

async function requireSound(database: Knex, place: string): Promise<void> {
  const found: { quick_check: string }[] = await database.raw('PRAGMA quick_check(1)');
  const verdict = found[0]?.quick_check;
  if (verdict === 'ok') return;
  throw new StartError(
    onOneLine(
      `--to: ${place}: the copy is not sound (${verdict}): the database or the disk is damaged; nothing was left there`,
    ),
  );
}

async function rowsOf(database: Knex, table: string): Promise<number> {
  const [counted] = await database(table).count<{ rows: number }[]>({ rows: '*' });
  return counted?.rows ?? 0;
}

async function complete(
  { choice, hasKeys, work }: BackupOptions,
  { draft, copy, madeAt, seen }: { draft: Draft; copy: string; madeAt: string; seen: Seen },
): Promise<Omit<Written, 'place'>> {
  const { keys, migrations, installation, ...counts } = seen;
  const keysCopy = join(draft.path, KEYS_FILE);
  if (hasKeys) writePrivate(keysCopy, textOf(keys));
  work.begin('read back', statSync(copy).size);
  const sum = async (path: string) => sumOfPath(path, (bytes) => work.advance(bytes));
  const manifest = newManifest({
    ...{ version: VERSION, madeAt, madeOf: 'sqlite' in choice ? 'sqlite' : 'postgres', migrations, installation },
    files: { [DATABASE_FILE]: await sum(copy), ...(hasKeys ? { [KEYS_FILE]: await sum(keysCopy) } : {}) },
  });
  writePrivate(join(draft.path, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
  return { manifest, ...counts };
}
