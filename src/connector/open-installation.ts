import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { KnownNetwork } from './domain/known-network.ts';
import { approvedNetworks } from './domain/network.ts';
import { installationClaim, installationOf } from './installation-claim.ts';
import type { OwnKeys } from './own-keys.ts';
import type { Keys } from './ports/keys.ts';
import type { Seal } from './ports/seal.ts';
import type { Secrets } from './secrets.ts';
import { type OpenDatabase, openDatabase } from './store/database.ts';
import type { SlotKeeper } from './store/hold/slot-keeper.ts';
import { keyInUse, recordInstallation } from './store/installation.ts';
import { followNetworks, readKnownNetworks } from './store/known-networks.ts';
import { type OpenReading, openReading, untilAnswered } from './store/reading.ts';
import { loadStateKeys, makeStateDirectory, readStateKeys } from './store/state-keys.ts';

export interface OpenInstallation {
  opened: OpenDatabase;
  keys: Keys;
  seal: Seal;
  /** All known networks; the configured ones are among them. */
  networks: readonly KnownNetwork[];
}

interface OpenInstallationOptions {
  clock: Clock;
  log: Logger;
  ownKeys: OwnKeys;
  /** See `Sharing.waits`. */
  waits(keeper: SlotKeeper, keys: Keys | undefined): void;
}

/**
 * Opens the database with the keys that belong to it, and records its installation.
 * @throws StartError if they do not fit
 */
export async function openInstallation(
  config: ConnectorConfig,
  secrets: Pick<Secrets, 'database' | 'keys'>,
  { clock, log, ownKeys, waits }: OpenInstallationOptions,
): Promise<OpenInstallation> {
  const present = secrets.keys ?? presentKeys(config.stateDirectory);
  const opened = await openDatabase(secrets.database, clock, installationClaim(config, present), log, {
    stateDirectory: config.stateDirectory,
    waits: (keeper) => waits(keeper, present),
  });
  try {
    const keys = present ?? loadStateKeys(config.stateDirectory);
    const seal = ownKeys.sealOf(keys);
    ownKeys.follow(opened.keeper?.agreement, keys);
    await ownKeys.choose(await keyInUse(opened.database, seal));
    const before = await recordInstallation(opened.database, seal, installationOf(config));
    if (before !== undefined) {
      log.warn({ before }, 'base address, identity provider or networks are not those of the last start');
    }
    const { known, renamed } = await followNetworks(opened.database, seal, approvedNetworks(config.bouncer.soju));
    for (const { from, to } of renamed) log.info({ from, to }, 'a network has another name: what is stored follows it');
    return { opened, keys, seal, networks: known };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The installation, for a process that serves without the slot: it records nothing. */
export type ReadingInstallation = Pick<OpenInstallation, 'keys' | 'seal' | 'networks'> & { opened: OpenReading };

interface ReadingOptions {
  keeper: SlotKeeper;
  ownKeys: OwnKeys;
  /** Ends the wait for the others. */
  ends: AbortSignal;
  log: Logger;
}

/**
 * Opens the database for a process that serves without the slot. The process has checked before that the keys fit.
 * @returns undefined if the wait for it has ended, or this process has no keys yet
 * @throws StartError
 */
export async function openReadingInstallation(
  config: ConnectorConfig,
  secrets: Pick<Secrets, 'database' | 'keys'>,
  { keeper, ownKeys, ends, log }: ReadingOptions,
): Promise<ReadingInstallation | undefined> {
  const keys = secrets.keys ?? presentKeys(config.stateDirectory);
  if (keys === undefined) return undefined;
  const opened = await openReading(secrets.database, keeper, { ends, log });
  if (opened === undefined) return undefined;
  const seal = ownKeys.sealOf(keys);
  ownKeys.follow(keeper.agreement, keys);
  const { database } = opened;
  // Newer keys encrypt nothing before all processes have them.
  const inUse = await untilAnswered(() => keyInUse(database, seal), ends);
  if (inUse !== undefined) seal.use(inUse);
  const networks = inUse && (await untilAnswered(() => readKnownNetworks(database), ends));
  if (networks) return { opened, keys, seal, networks };
  await opened.close();
  return undefined;
}

/** Reads the keys without making new ones: those are made only after the database has shown that it needs no others. */
function presentKeys(stateDirectory: string): Keys | undefined {
  makeStateDirectory(stateDirectory);
  return readStateKeys(stateDirectory);
}
