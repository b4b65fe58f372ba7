import type { ConnectorConfig } from '../../schemas/connector.ts';
import { StartError } from '../kernel/errors.ts';
import { databaseChoice, type ReadSecret } from './database-choice.ts';
import { showWait } from './shown-wait.ts';
import { actAsStateOwner } from './state-owner.ts';
import { compactDatabase } from './store/database.ts';

const MEBIBYTE = 2 ** 20;

/** Makes the database's file smaller and says by how much; returns the exit status. @throws StartError */
export async function runCompact(config: ConnectorConfig, readSecret: ReadSecret): Promise<number> {
  const database = databaseChoice(config, readSecret);
  if (!actAsStateOwner(config, database)) {
    throw new StartError(
      `${config.stateDirectory}: only the service itself can safely reach the database: run this command by systemd-run, as the guide to backups shows`,
    );
  }
  const compacted = await showWait(() => 'writing the file anew', compactDatabase(database));
  process.stdout.write(
    compacted === undefined
      ? 'nothing to do: PostgreSQL uses the room of deleted rows again by itself\n'
      : `done: ${mebibytes(compacted.before)} MiB before, ${mebibytes(compacted.after)} MiB now, and deletions make it smaller from now on\n`,
  );
  return 0;
}

const mebibytes = (bytes: number): string => (bytes / MEBIBYTE).toFixed(1);
