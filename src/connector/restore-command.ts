import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import { systemClock } from '../kernel/clock.ts';
import { readRegularFile } from '../kernel/config/regular-file.ts';
import { EXIT_CONFIG, messageOf, onOneLine, StartError } from '../kernel/errors.ts';
import { databaseChoice, type ReadSecret } from './database-choice.ts';
import { endingOnSignals } from './ending-on-signals.ts';
import { installationClaim } from './installation-claim.ts';
import { showWork } from './long-work.ts';
import type { Keys } from './ports/keys.ts';
import { readKeys } from './secrets.ts';
import { actAsStateOwner } from './state-owner.ts';
import { createSeal } from './store/aes-seal.ts';
import { type KeysInPlace, keysInPlace } from './store/backup/keys-in-place.ts';
import { KEYS_FILE } from './store/backup/manifest.ts';
import { type OpenBackup, openBackup, refused } from './store/backup/read.ts';
import { type Restored, restoreBackup } from './store/backup/restore.ts';
import type { DatabaseChoice } from './store/connect/index.ts';
import { KEYS_MAX_BYTES, keysOf } from './store/key-file.ts';
import { readStateKeys } from './store/state-keys.ts';

export interface RestoreWords {
  from: string | undefined;
  /** File with the keys, if they are not beside the backup. */
  keys: string | undefined;
  /** Whether a database that is not empty may be put aside. */
  mayReplace: boolean;
}

const EXIT_USAGE = 64;
const TICK_MS = 500;

const LAST_STEP = {
  goesOn: 'homeport-connector: restore: the restored database is taking its place: wait for the result',
  isUnknown:
    'homeport-connector: restore: it was ended while the restored database took its place: it has done so, or the database is as it was; run the same command again to be sure',
};

/** Replaces the database by a backup, and prints the outcome; returns the exit status. @throws StartError */
export async function runRestore(
  config: ConnectorConfig,
  words: RestoreWords,
  readSecret: ReadSecret,
): Promise<number> {
  const { from, mayReplace } = words;
  if (from === undefined || from === '') {
    throw new StartError('restore: expected --from DIR, a directory that backup has made', { exitStatus: EXIT_USAGE });
  }
  const choice = databaseChoice(config, readSecret);
  const backup = await openBackup(from);
  const work = showWork(process.stdout, () => systemClock.monotonic());
  const ticking = setInterval(() => work.tick(), TICK_MS).unref();
  const ending = endingOnSignals(
    'homeport-connector: restore: it was ended before it was complete, and the database is as it was',
  );
  try {
    const { keys, at } = keysOfBackup(config, { backup, file: words.keys }, readSecret);
    // The files of the backup are open: from here on only files of the service's account are touched.
    becomeOwner(config, choice);
    const now = systemClock.now();
    // With milliseconds: a second restore may follow within the same second.
    const stamp = new Date(now).toISOString().replaceAll(/[-:.]/g, '');
    const restored = await restoreBackup({
      ...{ backup, choice, keys, mayReplace, now, work },
      stateDirectory: config.stateDirectory,
      seal: createSeal(keys.sealKey, keys.earlierSealKeys),
      claim: { ...installationClaim(config, keys), keysAt: at },
      keysInPlace: inPlace(config, keys, `.before-restore-${stamp}`),
      aside: { ending: `.before-restore-${stamp}`, schema: `before_restore_${stamp.toLowerCase()}` },
      begun: ending.undoneBy,
      completes: () => ending.completes(LAST_STEP),
    });
    work.end();
    for (const line of linesOf(config, { backup, choice, restored })) work.say(line);
  } finally {
    ending.stop();
    clearInterval(ticking);
    work.end();
    backup.close();
  }
  return 0;
}

function becomeOwner(config: ConnectorConfig, choice: DatabaseChoice): void {
  if (process.getuid?.() === 0 && statSync(config.stateDirectory, { throwIfNoEntry: false }) === undefined) {
    throw new StartError(
      `stateDirectory: ${config.stateDirectory} does not exist: start the service once and stop it, so that its account gets the directory`,
      { exitStatus: EXIT_CONFIG },
    );
  }
  if (actAsStateOwner(config, choice)) return;
  throw new StartError(
    `${config.stateDirectory}: only the service itself can safely reach the database: run this command by systemd-run, as the guide to backups shows`,
  );
}

/** Puts the keys in place. With `keysFile` the owner does that: then they must be there already. */
function inPlace({ keysFile, stateDirectory }: ConnectorConfig, keys: Keys, aside: string): KeysInPlace | undefined {
  return keysFile === undefined ? keysInPlace(stateDirectory, keys, aside) : undefined;
}

/** Returns the keys that open a backup, and their place. @throws StartError */
function keysOfBackup(
  { keysFile, stateDirectory }: ConnectorConfig,
  { backup, file }: { backup: OpenBackup; file: string | undefined },
  readSecret: ReadSecret,
): { keys: Keys; at: string } {
  if (keysFile !== undefined) {
    if (file !== undefined) {
      throw new StartError(
        'restore: expected no --keys, because keysFile names the keys in force: put those of the backup there',
        {
          exitStatus: EXIT_USAGE,
        },
      );
    }
    return { keys: readKeys(keysFile, readSecret), at: `keysFile (${keysFile})` };
  }
  if (file !== undefined) return { keys: parsed(`--keys: ${file}`, readKeyFile(file)), at: `--keys (${file})` };
  if (backup.keys !== undefined) return { keys: parsed(backup.name, backup.keys), at: `${KEYS_FILE} of the backup` };
  const keys = readStateKeys(stateDirectory);
  if (keys !== undefined)
    return { keys, at: `${join(stateDirectory, KEYS_FILE)} (the backup has no keys; --keys FILE names others)` };
  throw refused(backup.name, `has no ${KEYS_FILE}, and ${stateDirectory} has none: name the keys by --keys FILE`);
}

function parsed(name: string, text: string): Keys {
  const keys = keysOf(text);
  if (keys === undefined)
    throw refused(name, `does not hold the connector’s keys: expected the ${KEYS_FILE} that belongs to the backup`);
  return keys;
}

function readKeyFile(file: string): string {
  try {
    return readRegularFile(file, ({ size }) => {
      if (size > KEYS_MAX_BYTES) throw new Error(`it has more than ${KEYS_MAX_BYTES} bytes`);
    });
  } catch (error) {
    throw new StartError(onOneLine(`--keys: ${file} can’t be read (${messageOf(error)})`), { exitStatus: EXIT_CONFIG });
  }
}

interface Done {
  backup: OpenBackup;
  choice: DatabaseChoice;
  restored: Restored;
}

function linesOf({ keysFile }: ConnectorConfig, { backup, choice, restored }: Done): string[] {
  const { keptDatabase, keptKeys, migrated, unread } = restored;
  const { madeAt, version } = backup.manifest;
  return [
    `restored: the state of ${madeAt}, which version ${version} has saved`,
    ...(migrated.length === 0 ? [] : [`brought up to date: ${migrated.length} steps, up to ${migrated.at(-1)}`]),
    ...(unread === 0 ? [] : [`${unread} texts that the keys do not open, as in the backup`]),
    ...(keptDatabase === undefined
      ? []
      : [`the database of before is kept: ${keptDatabase}; ${removal(choice, keptDatabase)}`]),
    ...(keptKeys === undefined ? [] : [`the keys of before are kept: ${keptKeys}`]),
    ...(keysFile === undefined ? [] : ['keysFile is as it was, and opens it']),
    'people, agents, tokens, logins at networks and histories that were removed since then are there again: remove them anew in the settings',
    'start homeport-connector: the bouncer then replays what was said since; mentions among that wake no agent again',
  ];
}

const removal = (choice: DatabaseChoice, kept: string): string =>
  'sqlite' in choice
    ? 'remove it when all is well'
    : `DROP ${kept.replace(/^schema (.*)$/, 'SCHEMA "$1"')} CASCADE removes it when all is well`;
