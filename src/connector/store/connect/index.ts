import { type PostgresSettings, postgresServer } from './postgres.ts';
import type { DatabaseServer } from './server.ts';
import { sqliteServer } from './sqlite.ts';

/** The chosen database: an object with one key, as in the configuration. */
export type DatabaseChoice = { sqlite: { file: string } } | { postgres: PostgresSettings };

export function databaseServer(choice: DatabaseChoice): DatabaseServer {
  return 'sqlite' in choice ? sqliteServer(choice.sqlite.file) : postgresServer(choice.postgres);
}
