import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import { installationClaim, installationOf } from './installation-claim.ts';
import type { Keys } from './ports/keys.ts';
import type { Seal } from './ports/seal.ts';
import type { Secrets } from './secrets.ts';
import { type OpenDatabase, openDatabase, type Sharing } from './store/database.ts';
import { recordInstallation } from './store/installation.ts';
import { createSeal } from './store/seal.ts';
import { loadStateKeys, makeStateDirectory, readStateKeys } from './store/state-keys.ts';

export interface OpenInstallation {
  opened: OpenDatabase;
  keys: Keys;
  seal: Seal;
}

/** Opens the database with the keys that belong to it, and records to whom it belongs. @throws StartError where they do not fit */
export async function openInstallation(
  config: ConnectorConfig,
  secrets: Pick<Secrets, 'database' | 'keys'>,
  { clock, log, waits }: { clock: Clock; log: Logger } & Pick<Sharing, 'waits'>,
): Promise<OpenInstallation> {
  const present = secrets.keys ?? presentKeys(config.stateDirectory);
  const opened = await openDatabase(secrets.database, clock, installationClaim(config, present), log, {
    stateDirectory: config.stateDirectory,
    ...(waits === undefined ? {} : { waits }),
  });
  try {
    const keys = present ?? loadStateKeys(config.stateDirectory);
    const seal = createSeal(keys.sealKey, keys.earlierSealKeys);
    const before = await recordInstallation(opened.database, seal, installationOf(config));
    if (before !== undefined) {
      log.warn({ before }, 'base address, identity provider or networks are not those of the last start');
    }
    return { opened, keys, seal };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** New keys are made only after the database has shown that it needs no others. */
function presentKeys(stateDirectory: string): Keys | undefined {
  makeStateDirectory(stateDirectory);
  return readStateKeys(stateDirectory);
}
