import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import knex, { type Knex } from 'knex';
import { inject } from 'vitest';
import type { Postgres } from '../../scripts/stack/postgres.ts';
import { administer, type PostgresAddress } from './administer.ts';

/** A database of a test's own, on the server of the run or in a file: the tests are the same. */
export interface TestDatabase extends AsyncDisposable {
  /** The database in the form of the configuration. */
  config: DatabaseConfig;
  kind: keyof DatabaseConfig;
  /** Another program that looks into the database. */
  connect(): Knex;
}

export interface DatabaseConfig {
  sqlite?: { file: string };
  postgres?: { host: string; port: number; database: string; user: string };
}

/** @param folder where the file is, if it is one */
export async function testDatabase(folder: string): Promise<TestDatabase> {
  const postgres = inject('postgres');
  return postgres === undefined ? fileDatabase(join(folder, 'test.db')) : serverDatabase(postgres);
}

export function fileDatabase(file: string): TestDatabase {
  return {
    kind: 'sqlite',
    config: { sqlite: { file } },
    connect: () =>
      knex({ client: 'sqlite3', connection: { filename: file }, useNullAsDefault: true, pool: { min: 1, max: 1 } }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/**
 * @param where further options of CREATE DATABASE
 * @param template the database that it begins as
 */
export async function serverDatabase(
  { host, port, superuser }: PostgresAddress,
  { where = '', template = 'template0' } = {},
): Promise<TestDatabase> {
  const database = `test_${randomBytes(6).toString('hex')}`;
  // Half the work of a copy through the log of the server.
  const how = `TEMPLATE ${template} STRATEGY FILE_COPY ${where}`;
  await administer({ host, port, superuser }, `CREATE DATABASE ${database} ${how}`);
  const connection = { host, port, database, user: superuser };
  return {
    kind: 'postgres',
    config: { postgres: connection },
    connect: () => knex({ client: 'pg', connection }),
    [Symbol.asyncDispose]: async () => {
      // Does not wait for connections that are about to end.
      await administer({ host, port, superuser }, `DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

/** The database `postgres` of a server that the test started itself, which ends with it. @param reachedAt where clients find its socket */
export function ownServerDatabase(server: Postgres, reachedAt = server.socketDirectory): TestDatabase {
  const connection = { host: reachedAt, port: server.port, database: 'postgres', user: server.superuser };
  return {
    kind: 'postgres',
    config: { postgres: connection },
    connect: () => knex({ client: 'pg', connection }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
