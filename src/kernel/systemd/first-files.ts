import { chmodSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, StartError, systemCodeOf } from '../errors.ts';

/** A file of the machine's owner: written where there is none, and never changed or removed. */
export interface FirstFile {
  path: string;
  text: string;
  /** Readable by root alone and never shown. */
  isSecret: boolean;
}

/** Rights of group and others in a mode. @see inode(7) */
const OTHERS = 0o077;

/** @returns whether it was written @throws StartError */
export function writeFirstFile({ path, text, isSecret }: FirstFile): boolean {
  if (existsSync(path)) return false;
  return putInPlace(path, text, isSecret ? 0o600 : 0o644, (complete) => {
    try {
      // Unlike a rename, a link replaces nothing.
      linkSync(complete, path);
      return true;
    } catch (error) {
      // Somebody else wrote it in between; a link of a path that leads nowhere is told of.
      if (systemCodeOf(error) === 'EEXIST' && existsSync(path)) return false;
      throw error;
    }
  });
}

/** Writes a file in place of one that may be there. @throws StartError */
export function replaceFile(path: string, text: string, mode: number): void {
  putInPlace(path, text, mode, (complete) => renameSync(complete, path));
}

/** Makes a folder that root alone may enter. @returns whether it was made @throws StartError for one that others may enter or own */
export function makePrivateFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    makeFolders(dirname(path));
    mkdirSync(path, { mode: 0o700 });
    return true;
  }
  if (found.uid !== process.getuid?.()) {
    throw new StartError(`${path} holds secrets, and belongs to another account than root: chown root ${path}`);
  }
  if ((found.mode & OTHERS) === 0) return false;
  throw new StartError(`${path} holds secrets, and others than root may look into it: chmod 700 ${path}`);
}

/** Makes the directories on the way and a complete file beside `path`, so that a full disk leaves no half of a file there. */
function putInPlace<T>(path: string, text: string, mode: number, put: (complete: string) => T): T {
  const complete = `${path}.${process.pid}.new`;
  try {
    makeFolders(dirname(path));
    // What an earlier process of this number left.
    rmSync(complete, { force: true });
    writeFileSync(complete, text, { mode, flag: 'wx' });
    chmodSync(complete, mode);
    return put(complete);
  } catch (error) {
    throw new StartError(`could not write ${path}: ${messageOf(error)}`, { cause: error });
  } finally {
    rmSync(complete, { force: true });
  }
}

/** Whatever root's umask is, the service has to reach what is not secret. */
function makeFolders(path: string): void {
  const made = mkdirSync(path, { recursive: true });
  if (made === undefined) return;
  for (let directory = path; ; directory = dirname(directory)) {
    chmodSync(directory, 0o755);
    if (directory === made) return;
  }
}
