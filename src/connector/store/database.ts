import { chmodSync } from 'node:fs';
import knex, { type Knex } from 'knex';
import { messageOf, StartError } from '../../kernel/errors.ts';
import { migrationSource } from './migrations/index.ts';

export type Database = Knex;

/** How long a statement waits for another process that writes. */
const BUSY_TIMEOUT_MS = 5_000;

/** Run on every connection: readers beside one writer, and rows that point somewhere. */
const PRAGMAS = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA foreign_keys = ON',
  `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`,
];

interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
}

/**
 * Opens the embedded database and brings its schema up to date.
 * @throws StartError when it can't be used
 */
export async function openDatabase(file: string): Promise<Database> {
  const database = knex({
    client: 'sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    // Else an error's message has the values in it, and what was said would reach the log.
    compileSqlOnError: false,
    pool: {
      min: 1,
      max: 1,
      afterCreate: (connection: SqliteConnection, done: (error: Error | null) => void) =>
        connection.exec(PRAGMAS.join(';'), done),
    },
  });
  try {
    await database.migrate.latest({ migrationSource });
    chmodSync(file, 0o600);
    return database;
  } catch (error) {
    await database.destroy();
    throw new StartError(`database.sqlite.file: ${file} can't be used (${messageOf(error)})`, { cause: error });
  }
}
