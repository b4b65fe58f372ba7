import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf, StartError, systemCodeOf } from '../errors.ts';
import { shellWord } from './run-command.ts';

/** A file of the machine's owner: written only if it does not exist, and never changed or removed. */
export interface FirstFile {
  path: string;
  text: string;
  /** Readable by root alone and never shown. */
  isSecret: boolean;
}

/** Rights of group and others in a mode. @see inode(7) */
const OTHERS = 0o077;
/** Rights that no secret of root leaves to others. Its group may read it, where root has chosen a group for a reader such as Prometheus. */
const MORE_THAN_A_READER = 0o027;
const FOLDER_MODE = 0o755;

/** A complete file beside its place, which only a rename separates from being in use. */
export interface StagedFile {
  path: string;
  /** Moves it to its place, over a file that is there. @throws StartError */
  put: () => void;
  /** Removes it, unless it is in its place. */
  discard: () => void;
}

/** @returns whether it was written @throws StartError, also for a secret that another account has or may read */
export function writeFirstFile(file: FirstFile): boolean {
  const isWritten = writeMissing(file);
  if (!isWritten && file.isSecret) requirePrivate(file.path);
  return isWritten;
}

/** @throws StartError */
function requirePrivate(path: string): void {
  const { uid, mode } = statSync(path);
  const wrong =
    uid === process.getuid?.()
      ? (mode & MORE_THAN_A_READER) !== 0 && 'may be read by every account, or changed by its group'
      : 'belongs to another account than root';
  if (wrong === false) return;
  throw new StartError(
    `${path} holds a secret, and ${wrong}, so that it may be known: remove it, and install-units makes a new one, or give it to root alone: chown root ${shellWord(path)}; chmod 600 ${shellWord(path)}`,
  );
}

function writeMissing({ path, text, isSecret }: FirstFile): boolean {
  if (existsSync(path)) {
    removeUnfinished(path);
    return false;
  }
  const complete = writeBeside(path, text, isSecret ? 0o600 : 0o644);
  try {
    // Unlike a rename, a link never replaces a file.
    linkSync(complete, path);
    return true;
  } catch (error) {
    // Another process wrote it in between. A dangling link at the path is an error.
    if (systemCodeOf(error) === 'EEXIST' && existsSync(path)) return false;
    throw notWritten(path, error);
  } finally {
    rmSync(complete, { force: true });
  }
}

/** Writes a file beside its place, so that a disk without room is noticed before anything depends on it. @throws StartError */
export function stageFile(path: string, text: string, mode: number): StagedFile {
  const complete = writeBeside(path, text, mode);
  return {
    path,
    put: () => {
      try {
        renameSync(complete, path);
      } catch (error) {
        throw notWritten(path, error);
      }
    },
    discard: () => rmSync(complete, { force: true }),
  };
}

/** Writes a file in place of one that may be there. @throws StartError */
export function replaceFile(path: string, text: string, mode: number): void {
  const staged = stageFile(path, text, mode);
  try {
    staged.put();
  } finally {
    staged.discard();
  }
}

/** Makes a folder that root alone may enter. @returns whether it was made @throws StartError for one that others may enter or own */
export function makePrivateFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    try {
      makeFolders(dirname(path));
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      throw new StartError(`could not make ${path}: ${messageOf(error)}`, { cause: error });
    }
    return true;
  }
  if (found.uid !== process.getuid?.()) {
    throw new StartError(
      `${path} holds secrets, and belongs to another account than root: chown root ${shellWord(path)}`,
    );
  }
  if ((found.mode & OTHERS) === 0) return false;
  throw new StartError(`${path} holds secrets, and others than root may look into it: chmod 700 ${shellWord(path)}`);
}

/** Removes what a command that was killed has left beside a file. @throws StartError */
export function removeUnfinished(path: string): void {
  try {
    rmSync(unfinished(path), { force: true });
  } catch (error) {
    throw new StartError(`could not remove ${unfinished(path)}: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Path of a file until it is in its place. It is one name for each file, so that a command that was killed leaves one
 * file at most, which the next command replaces: `withUnitLock` keeps two commands from writing at once.
 */
const unfinished = (path: string): string => join(dirname(path), `.${basename(path)}.unfinished`);

/**
 * Makes the directories on the way and a complete file beside `path`, so that neither a full disk nor a loss of power
 * leaves half of a file there.
 * @returns the path of the complete file
 */
function writeBeside(path: string, text: string, mode: number): string {
  const complete = unfinished(path);
  try {
    makeFolders(dirname(path));
    rmSync(complete, { force: true });
    writeNew(complete, text, mode);
    return complete;
  } catch (error) {
    try {
      rmSync(complete, { force: true });
    } catch {
      // On a read-only disk there is nothing to remove.
    }
    throw notWritten(path, error);
  }
}

/** Writes through one descriptor: in a folder of another account, the name may lead elsewhere a moment later. */
function writeNew(path: string, text: string, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    writeFileSync(file, text);
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const notWritten = (path: string, error: unknown): StartError =>
  new StartError(`could not write ${path}: ${messageOf(error)}`, { cause: error });

/**
 * Makes folders that every account may enter and root alone may write, independent of root's umask: the service must
 * reach files that are not secret. They have no more rights for a moment either, in which an account could use them.
 */
function makeFolders(path: string): void {
  const made = mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  if (made === undefined) return;
  for (let directory = path; ; directory = dirname(directory)) {
    chmodSync(directory, FOLDER_MODE);
    if (directory === made) return;
  }
}
