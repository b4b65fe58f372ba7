import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Directives } from './hardening.ts';

/** A file that the service needs, with the remedy if it can't be reached. */
export interface NeededFile {
  path: string;
  remedy: string;
}

/** Directive of a unit -> folders that it hides from the service. @see systemd.exec(5) */
const HIDDEN = { PrivateTmp: ['/tmp', '/var/tmp'], ProtectHome: ['/home', '/root', '/run/user'] };

/** Folders that a service with these directives does not see. */
export function hiddenBy(directives: Directives): string[] {
  return Object.entries(HIDDEN).flatMap(([directive, folders]) => (directives[directive] === true ? folders : []));
}

/** Bits of others in the mode of a directory and of a file: the service's account owns no such file. @see inode(7) */
const ENTER = 0o001;
const READ = 0o004;

/**
 * Why a service could not get at these files where they stand; undefined where it can. Files that are not there yet do not count.
 * @param hidden folders that the service does not see
 */
export function obstacleOf(files: readonly NeededFile[], hidden: readonly string[]): string | undefined {
  for (const { path, remedy } of files) {
    const obstacle = obstacleTo(path, hidden);
    if (obstacle !== undefined) return `${obstacle}: ${remedy}`;
  }
  return undefined;
}

function obstacleTo(path: string, hidden: readonly string[]): string | undefined {
  // The kernel follows links with the rights of the service's account, so both paths must be open to it.
  const ways = [...new Set([path, realPathOf(path)])];
  const unseen = hidden.find((folder) => ways.some((way) => way.startsWith(`${folder}/`)));
  if (unseen !== undefined) return `the service does not see what is below ${unseen}, as ${path} is`;
  const closed = ways.flatMap(directoriesTo).find((directory) => lacks(directory, ENTER));
  if (closed !== undefined) return `the service's account may not enter ${closed} on the way to ${path}`;
  return lacks(path, READ) ? `the service's account may not read ${path}` : undefined;
}

/** The directories above a path, from the root directory down. */
function directoriesTo(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [...directoriesTo(parent), parent];
}

function lacks(path: string, right: number): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  return mode !== undefined && (mode & right) === 0;
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A file that is not there yet: its directory may be a link.
    const parent = dirname(path);
    return parent === path ? path : `${realPathOf(parent)}${path.slice(parent === '/' ? 0 : parent.length)}`;
  }
}
