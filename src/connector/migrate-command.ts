import type { ConnectorConfig } from '../../schemas/connector.ts';
import { systemClock } from '../kernel/clock.ts';
import { databaseChoice, type ReadSecret } from './database-choice.ts';
import { migrateDatabase } from './store/database.ts';

/** Brings the database up to date and prints what was done; returns the exit status. */
export async function runMigrate(config: ConnectorConfig, readSecret: ReadSecret): Promise<number> {
  const names = await migrateDatabase(databaseChoice(config, readSecret), systemClock);
  const lines = names.length === 0 ? ['the database is up to date'] : names.map((name) => `done: ${name}`);
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
