import {
  closeSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../kernel/clock.ts';
import { readRegularFile } from '../../kernel/config/regular-file.ts';
import { messageOf, StartError, systemCodeOf } from '../../kernel/errors.ts';
import type { Keys } from '../ports/keys.ts';
import { KEYS_MAX_BYTES, keysAfter, keysOf, newKeys, textOf } from './key-file.ts';

export const keyFileIn = (stateDirectory: string): string => join(stateDirectory, 'keys.json');

/** Reads the keys of the state directory, or makes them. @throws StartError when the directory or the file can't be used */
export function loadStateKeys(stateDirectory: string): Keys {
  return using(stateDirectory, () => {
    const file = keyFileIn(stateDirectory);
    mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    return readKeys(file) ?? makeKeys(file);
  });
}

/** Makes the state directory if it is missing. @throws StartError */
export function makeStateDirectory(stateDirectory: string): void {
  using(stateDirectory, () => mkdirSync(stateDirectory, { recursive: true, mode: 0o700 }));
}

/**
 * Returns the keys of the state directory; undefined if it has no keys.
 * @throws StartError when the file can't be used
 */
export const readStateKeys = (stateDirectory: string): Keys | undefined =>
  using(stateDirectory, () => readKeys(keyFileIn(stateDirectory)));

/**
 * Puts new keys before those of the state directory; the next start uses them.
 * @throws StartError if there are no keys, another process replaces them, or the file can't be replaced
 */
export function rotateStateKeys(stateDirectory: string): void {
  using(stateDirectory, () => {
    const file = keyFileIn(stateDirectory);
    const required = (keys: Keys | undefined): Keys => {
      if (keys !== undefined) return keys;
      throw new StartError(`${file} does not exist: the connector makes it at its first start`);
    };
    required(readKeys(file));
    // Takes long on a slow machine, so before the draft is there.
    const fresh = newKeys();
    replaceKeys(file, (keys) => keysAfter(required(keys), fresh));
  });
}

/**
 * Removes keys that are no longer needed, unless the keys have been replaced since `keys` were read.
 * @throws StartError while a command replaces them
 */
export function forgetEarlierStateKeys(stateDirectory: string, { sealKey }: Keys): void {
  replaceKeys(keyFileIn(stateDirectory), (stored) => {
    if (stored === undefined || !stored.sealKey.equals(sealKey)) return undefined;
    return { ...stored, earlierSealKeys: [], cookieKeys: stored.cookieKeys.slice(0, 1) };
  });
}

/** Writes these keys into the state directory, in one step. @throws StartError when the file can't be replaced */
export function putStateKeys(stateDirectory: string, keys: Keys): void {
  using(stateDirectory, () => {
    mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    replaceKeys(keyFileIn(stateDirectory), () => keys);
  });
}

function using<T>(stateDirectory: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`stateDirectory: ${stateDirectory} can't be used (${messageOf(error)})`, { cause: error });
  }
}

function readKeys(file: string): Keys | undefined {
  let text: string;
  try {
    // Root reads it, too, in a directory of the service's account, which may have put a pipe there.
    text = readRegularFile(file, ({ mode, size }) => {
      if ((mode & 0o077) !== 0) throw new StartError(`${file} is readable by group or others: chmod 600 ${file}`);
      if (size > KEYS_MAX_BYTES) throw new Error(`${file} has more than ${KEYS_MAX_BYTES} bytes`);
    });
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const keys = keysOf(text);
  if (keys === undefined)
    throw new StartError(`${file} is damaged: restore it from a backup, without it no stored secret opens`);
  return keys;
}

/**
 * Creates the keys. The file appears complete or not at all; if two processes start at once, both use the first one's.
 */
function makeKeys(file: string): Keys {
  const draft = `${file}.${process.pid}`;
  const descriptor = openSync(draft, 'w', 0o600);
  try {
    writeDurably(descriptor, newKeys());
    linkSync(draft, file);
    syncFolder(file);
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  } finally {
    closeSync(descriptor);
    rmSync(draft);
  }
  const keys = readKeys(file);
  if (keys === undefined) throw new StartError(`${file} vanished while it was made`);
  return keys;
}

/**
 * Replaces the file, which keeps its owner and has one complete content also after a power failure: without it no
 * secret opens. The draft is a lock, too: of two replacements at once the second one would lose the keys of the first.
 * @param change returns the new keys; undefined leaves the file as it is
 * @throws StartError while another process replaces them
 */
function replaceKeys(file: string, change: (stored: Keys | undefined) => Keys | undefined): void {
  const draft = `${file}.new`;
  const descriptor = openDraft(draft);
  try {
    const keys = change(readKeys(file));
    if (keys === undefined) {
      rmSync(draft);
      return;
    }
    const owner = statSync(file, { throwIfNoEntry: false });
    writeDurably(descriptor, keys, owner);
    // A process that was stopped for so long may have lost the lock.
    if (lstatSync(draft).ino !== fstatSync(descriptor).ino) throw beingReplaced(draft);
    renameSync(draft, file);
  } catch (error) {
    if (lstatSync(draft, { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino) rmSync(draft);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  syncFolder(file);
}

/** Age after which a draft is one that an interrupted replacement left. */
const DRAFT_MAX_AGE_MS = 60_000;

/** The directory is its owner's: root must not write through a link there. @throws StartError for the draft of another process */
function openDraft(draft: string): number {
  const found = lstatSync(draft, { throwIfNoEntry: false });
  const isAnothers = found?.isFile() === true && Math.abs(systemClock.now() - found.mtimeMs) < DRAFT_MAX_AGE_MS;
  if (isAnothers) throw beingReplaced(draft);
  rmSync(draft, { force: true });
  try {
    return openSync(draft, 'wx', 0o600);
  } catch (error) {
    throw systemCodeOf(error) === 'EEXIST' ? beingReplaced(draft) : error;
  }
}

const beingReplaced = (draft: string): StartError =>
  new StartError(
    `another process replaces the keys just now, or was interrupted within the last minute (${draft}): run this command again in a minute, if new keys are still wanted`,
  );

function writeDurably(descriptor: number, keys: Keys, owner?: Stats): void {
  writeFileSync(descriptor, textOf(keys));
  if (owner !== undefined && process.getuid?.() === 0) fchownSync(descriptor, owner.uid, owner.gid);
  fsyncSync(descriptor);
}

/**
 * Makes the file's name durable. The database, perhaps on another machine, soon has texts that only these keys open:
 * after a power failure the file must not be the one of before.
 */
function syncFolder(file: string): void {
  const descriptor = openSync(dirname(file), 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
