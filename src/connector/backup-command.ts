import type { ConnectorConfig } from '../../schemas/connector.ts';
import { systemClock } from '../kernel/clock.ts';
import { EXIT_CONFIG, onOneLine, StartError } from '../kernel/errors.ts';
import { databaseChoice, type ReadSecret } from './database-choice.ts';
import { endingOnSignals } from './ending-on-signals.ts';
import { installationClaim } from './installation-claim.ts';
import { showWork } from './long-work.ts';
import type { Keys } from './ports/keys.ts';
import { readKeys } from './secrets.ts';
import { requireNotOfStateOwner, withRightsOfStateOwner } from './state-owner.ts';
import { DATABASE_FILE, KEYS_FILE, MANIFEST_FILE } from './store/backup/manifest.ts';
import { type Written, writeBackup } from './store/backup/write.ts';
import { readStateKeys } from './store/state-keys.ts';

export interface BackupWords {
  to: string | undefined;
  /** Whether the backup leaves out the keys, because a copy is kept elsewhere. */
  withoutKeys: boolean;
}

const EXIT_USAGE = 64;
const TICK_MS = 500;
const KIBIBYTE = 1_024;

/** Makes a backup while the service may run, and prints its contents; returns the exit status. @throws StartError */
export async function runBackup(
  config: ConnectorConfig,
  { to, withoutKeys }: BackupWords,
  readSecret: ReadSecret,
): Promise<number> {
  if (to === undefined || to === '') {
    throw new StartError('backup: expected --to DIR, a directory that does not exist yet', { exitStatus: EXIT_USAGE });
  }
  const choice = databaseChoice(config, readSecret);
  const keys = (): Keys => presentKeys(config, readSecret);
  keys();
  requireNotOfStateOwner(config, choice, { option: '--to', path: to });
  const beganAt = systemClock.monotonic();
  const work = showWork(process.stdout, () => systemClock.monotonic());
  const ticking = setInterval(() => work.tick(), TICK_MS).unref();
  const ending = endingOnSignals(
    'homeport-connector: backup: it was ended before it was complete, and nothing was left',
  );
  try {
    const written = await writeBackup({
      ...{ choice, to, work, hasKeys: !withoutKeys },
      readKeys: keys,
      claimOf: (present) => installationClaim(config, present),
      withRights: (connect) => withRightsOfStateOwner(config, connect),
      now: () => systemClock.now(),
      begun: ending.undoneBy,
    });
    work.end();
    const seconds = (systemClock.monotonic() - beganAt) / 1_000;
    for (const line of linesOf(written, seconds)) work.say(line);
  } finally {
    ending.stop();
    clearInterval(ticking);
    work.end();
  }
  return 0;
}

function presentKeys(config: ConnectorConfig, readSecret: ReadSecret): Keys {
  const { keysFile, stateDirectory } = config;
  const keys = keysFile === undefined ? readStateKeys(stateDirectory) : readKeys(keysFile, readSecret);
  if (keys !== undefined) return keys;
  throw new StartError(
    onOneLine(
      `stateDirectory: ${stateDirectory} has no keys.json, without which nothing that is encrypted in the database opens`,
    ),
    { exitStatus: EXIT_CONFIG },
  );
}

function linesOf({ place, manifest, accounts, entries, unread }: Written, seconds: number): string[] {
  const { [DATABASE_FILE]: database, [KEYS_FILE]: keys } = manifest.files;
  const bytes = database.bytes + (keys?.bytes ?? 0);
  return [
    `backup: ${place}: ${sizeOf(bytes)} in ${seconds.toFixed(1)} s`,
    `${DATABASE_FILE}: ${sizeOf(database.bytes)}, ${accounts} accounts and ${entries} entries, as of ${manifest.madeAt}`,
    ...(unread === 0 ? [] : [`${DATABASE_FILE}: ${unread} texts that the keys do not open, as until now`]),
    keys === undefined
      ? 'the keys are not in it: keep keys.json in another place, without it the database does not open'
      : `${KEYS_FILE}: ${sizeOf(keys.bytes)}; it opens the database: keep the two apart`,
    `${MANIFEST_FILE}: version, time and checksums; nothing secret`,
    `not in it: the configuration, the files that its options name, and soju’s own database (what the bouncer keeps)`,
  ];
}

/** Formats a size in the largest unit of which it has at least one. */
function sizeOf(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [size, unit] = [bytes, 0];
  while (size >= KIBIBYTE && unit < units.length - 1) [size, unit] = [size / KIBIBYTE, unit + 1];
  return `${unit === 0 ? size : size.toFixed(1)} ${units[unit]}`;
}
