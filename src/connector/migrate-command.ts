import type { ConnectorConfig } from '../../schemas/connector.ts';
import { systemClock } from '../kernel/clock.ts';
import { StartError } from '../kernel/errors.ts';
import { printedJson } from '../kernel/printed-json.ts';
import { databaseChoice, type ReadSecret } from './database-choice.ts';
import { showWait } from './shown-wait.ts';
import { actAsStateOwner } from './state-owner.ts';
import { migrateDatabase } from './store/database.ts';

/** Brings the database up to date and prints what was done, as lines or as JSON; returns the exit status. @throws StartError */
export async function runMigrate(config: ConnectorConfig, readSecret: ReadSecret, isJson: boolean): Promise<number> {
  const database = databaseChoice(config, readSecret);
  if (!actAsStateOwner(config, database)) {
    throw new StartError(
      `${config.stateDirectory}: only root and the service itself can reach the database: restart homeport-connector, which brings it up to date as it starts`,
    );
  }
  const names = await showWait(() => 'bringing the database up to date', migrateDatabase(database, systemClock));
  if (isJson) {
    process.stdout.write(`${printedJson({ done: names })}\n`);
    return 0;
  }
  const lines = names.length === 0 ? ['the database is up to date'] : names.map((name) => `done: ${name}`);
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
