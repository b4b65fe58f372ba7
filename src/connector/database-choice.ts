import { join } from 'node:path';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { DatabaseChoice } from './store/connect/index.ts';

/** Reads the secret file that an option names. */
export type ReadSecret = (path: string, option: string) => string;

/** The environment of the process, from which only a proxy is read. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the configured database with its file's path, or its password.
 * @throws StartError for a password file that can't be used
 */
export function databaseChoice(
  { database, stateDirectory }: Pick<ConnectorConfig, 'database' | 'stateDirectory'>,
  readSecret: ReadSecret,
): DatabaseChoice {
  if ('sqlite' in database) return { sqlite: { file: database.sqlite.file ?? join(stateDirectory, 'connector.db') } };
  const { passwordFile, standby: _, ...postgres } = database.postgres;
  const password = passwordFile === undefined ? undefined : readSecret(passwordFile, 'database.postgres.passwordFile');
  return { postgres: { ...postgres, password } };
}
