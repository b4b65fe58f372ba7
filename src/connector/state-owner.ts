import { realpathSync, statSync } from 'node:fs';
import { dirname, parse, resolve, sep } from 'node:path';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import { messageOf, StartError } from '../kernel/errors.ts';
import { groupId } from '../kernel/systemd/accounts.ts';
import { SOJU_GROUP } from './install/soju-note.ts';
import type { DatabaseChoice } from './store/connect/index.ts';

/** Permission of all users to pass a directory. */
const OTHERS_MAY_PASS = 0o001;

interface Owner {
  uid: number;
  gid: number;
  directory: string;
}

/**
 * Makes root act as the account that the service's state belongs to, until the process ends. That account may have put
 * links to root's files there, which root must not open for writing. Other users keep acting as themselves. Call it
 * when the secrets are read and before the database is touched.
 * @returns false if root stays root, because only root can reach the account's directory: systemd keeps the state of a
 * dynamic user below such a directory
 * @throws StartError when root may not change its account
 */
export function actAsStateOwner(
  { stateDirectory }: Pick<ConnectorConfig, 'stateDirectory'>,
  database: DatabaseChoice,
): boolean {
  if (process.getuid?.() !== 0) return true;
  const owner = ownerOf('sqlite' in database ? dirname(database.sqlite.file) : stateDirectory);
  if (owner === undefined) return true;
  if ('sqlite' in database && !isReachable(owner.directory)) return false;
  become(owner);
  return true;
}

/**
 * Connects to a database server as the account that the service's state belongs to, if root runs this: the server knows
 * that account by its name. Afterwards root acts as root again.
 */
export async function withRightsOfStateOwner<T>(
  { stateDirectory }: Pick<ConnectorConfig, 'stateDirectory'>,
  connect: () => Promise<T>,
): Promise<T> {
  const owner = process.getuid?.() === 0 ? ownerOf(stateDirectory) : undefined;
  if (owner === undefined) return connect();
  process.setegid?.(owner.gid);
  process.seteuid?.(owner.uid);
  try {
    return await connect();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

/**
 * Refuses a path in which the service's account may put links: root must not write there.
 * @throws StartError for a path below a directory of that account
 */
export function requireNotOfStateOwner(
  { stateDirectory }: Pick<ConnectorConfig, 'stateDirectory'>,
  database: DatabaseChoice,
  { option, path }: { option: string; path: string },
): void {
  if (process.getuid?.() !== 0) return;
  const owner = ownerOf('sqlite' in database ? dirname(database.sqlite.file) : stateDirectory);
  if (owner === undefined) return;
  const parents = prefixesOf(resolve(path)).map((directory) => statSync(directory, { throwIfNoEntry: false }));
  if (!parents.some((found) => found?.uid === owner.uid)) return;
  throw new StartError(
    `${option}: ${path} is in a directory of the service’s account, in which root does not write: name another one, or run this command as that account, as the guide to backups shows`,
  );
}

/** Returns the owner of the uppermost directory of a path that is not root's: this account controls all below it. */
function ownerOf(path: string): Owner | undefined {
  for (const directory of prefixesOf(path)) {
    const found = statSync(directory, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (found.uid !== 0) return { uid: found.uid, gid: found.gid, directory };
  }
  return undefined;
}

/** Whether users other than root can pass all directories above this one. */
function isReachable(directory: string): boolean {
  return prefixesOf(dirname(realpathSync(directory))).every((path) => (statSync(path).mode & OTHERS_MAY_PASS) !== 0);
}

/** Returns the directories on the way to a path, and the path itself, without the root. */
function prefixesOf(path: string): string[] {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep);
  return names.map((_, index) => `${root}${names.slice(0, index + 1).join(sep)}`);
}

function become({ uid, gid, directory }: Owner): void {
  // The service's unit has this group, too.
  const sojuGid = groupId(SOJU_GROUP);
  try {
    process.setgroups?.(sojuGid === undefined ? [gid] : [gid, sojuGid]);
    process.setgid?.(gid);
    process.setuid?.(uid);
  } catch (error) {
    throw new StartError(
      `${directory}: could not act as its owner, user ${uid} (${messageOf(error)}): run this command as that user`,
      { cause: error },
    );
  }
}
