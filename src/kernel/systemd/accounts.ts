import { execFileSync } from 'node:child_process';
import { messageOf, StartError } from '../errors.ts';

/** Deadline for getent(1), which may ask a directory service in the network. */
const ANSWER_DEADLINE_MS = 20_000;

/** getent(1): a name that is not in the database. */
const NOT_FOUND = 2;

/** Whether this machine knows an account or a group of this name, from its files or from a network. @throws StartError */
export function isKnown(database: 'passwd' | 'group', name: string): boolean {
  return entryOf(database, name) !== undefined;
}

/** Number of a group; undefined for one that this machine does not know. @throws StartError */
export function groupId(name: string): number | undefined {
  const entry = entryOf('group', name);
  return entry === undefined ? undefined : Number(entry.split(':')[2]);
}

/** Hides systemd's dynamic accounts, which disappear when their service ends. @see docs/ENVIRONMENT.md of systemd */
const LASTING = 'SYSTEMD_NSS_DYNAMIC_BYPASS=1';

function entryOf(database: 'passwd' | 'group', name: string): string | undefined {
  try {
    return execFileSync('env', [LASTING, 'getent', database, name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: ANSWER_DEADLINE_MS,
    });
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === NOT_FOUND) return undefined;
    throw new StartError(`could not ask for the ${database} entry ${name}: ${messageOf(error)}`, { cause: error });
  }
}
