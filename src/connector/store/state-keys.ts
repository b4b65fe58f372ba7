import {
  closeSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
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
 * @throws StartError if there are no keys, or the file can't be replaced
 */
export function rotateStateKeys(stateDirectory: string): void {
  using(stateDirectory, () => {
    const file = keyFileIn(stateDirectory);
    const keys = readKeys(file);
    if (keys === undefined) throw new StartError(`${file} does not exist: the connector makes it at its first start`);
    replaceKeys(file, keysAfter(keys));
  });
}

/** Removes keys that are no longer needed, unless the keys have been replaced since `keys` were read. */
export function forgetEarlierStateKeys(stateDirectory: string, { sealKey }: Keys): void {
  const file = keyFileIn(stateDirectory);
  const stored = readKeys(file);
  if (stored === undefined || !stored.sealKey.equals(sealKey)) return;
  replaceKeys(file, { ...stored, earlierSealKeys: [], cookieKeys: stored.cookieKeys.slice(0, 1) });
}

/** Writes these keys into the state directory, in one step. @throws StartError when the file can't be replaced */
export function putStateKeys(stateDirectory: string, keys: Keys): void {
  using(stateDirectory, () => {
    mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    replaceKeys(keyFileIn(stateDirectory), keys);
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
  writeDurably(draft, 'w', newKeys());
  try {
    linkSync(draft, file);
    syncFolder(file);
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  const keys = readKeys(file);
  if (keys === undefined) throw new StartError(`${file} vanished while it was made`);
  return keys;
}

/**
 * Replaces the file, which keeps its owner and has one complete content also after a power failure: without it no
 * secret opens.
 */
function replaceKeys(file: string, keys: Keys): void {
  const owner = statSync(file, { throwIfNoEntry: false });
  const draft = `${file}.new`;
  // A draft that an interrupted replacement left. The directory is its owner's: root must not write through a link there.
  rmSync(draft, { force: true });
  writeDurably(draft, 'wx', keys, owner);
  renameSync(draft, file);
  syncFolder(file);
}

function writeDurably(file: string, flags: 'w' | 'wx', keys: Keys, owner?: Stats): void {
  const descriptor = openSync(file, flags, 0o600);
  try {
    writeFileSync(descriptor, textOf(keys));
    if (owner !== undefined && process.getuid?.() === 0) fchownSync(descriptor, owner.uid, owner.gid);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
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
