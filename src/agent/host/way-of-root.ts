import { lstatSync } from 'node:fs';

/** Bits of a mode by which group or others may write. */
const WRITABLE_BY_OTHERS = 0o022;

const ROOT = 0;

/**
 * Whether no account but root can lead a path elsewhere, as to a file system that does not answer: each directory on the
 * way is root's, and only root may write to it. This thread itself follows only such paths: one that another account
 * can change may change between a look at its mount and the call. The check goes from the root directory down, so that
 * each checked directory lies in one that only root may change.
 * @param path without symbolic links, and on no mount that can hang
 */
export function isWayOfRoot(path: string): boolean {
  for (let slash = path.indexOf('/'); slash !== -1 && path !== '/'; slash = path.indexOf('/', slash + 1)) {
    if (!isRoots(path.slice(0, slash) || '/')) return false;
  }
  return true;
}

function isRoots(directory: string): boolean {
  try {
    const { uid, mode } = lstatSync(directory);
    return uid === ROOT && (mode & WRITABLE_BY_OTHERS) === 0;
  } catch {
    // The path is closed to this account, or gone: the call in another thread reports it.
    return false;
  }
}
