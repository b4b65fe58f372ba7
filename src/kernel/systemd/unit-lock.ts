import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { messageOf, StartError } from '../errors.ts';
import type { Print } from './installation.ts';

/** Deadline for another command, more than its check and a usual start take. */
const WAIT_SECONDS = 600;
const SECOND_MS = 1_000;
/** flock(1) adds this time for its own start and end. */
const GRACE_MS = 30_000;

/** Descriptor of the lock file in flock(1). */
const INHERITED = 3;
/** flock(1): another process holds the lock. */
const HELD = 1;

/**
 * Runs commands that change a program's service one after the other: `install-units`, `uninstall-units`, `share-soju`.
 * Two at once would remove each other's check and stop what the other one has started. The kernel releases the lock
 * when the process ends, even if it is killed. Only root may open the file, so no other account can hold the lock.
 * @throws StartError if another command holds the lock for minutes
 */
export async function withUnitLock<T>(program: string, print: Print, work: () => T | Promise<T>): Promise<T> {
  // The command itself refuses such a machine or account, and says why.
  if (process.getuid?.() !== 0 || !existsSync('/run/systemd/system')) return work();
  const path = `/run/${program}-units.lock`;
  const file = openLock(path);
  try {
    if (!lock(file)) {
      print(`waiting for another command that changes the units of ${program}${holderIn(path)}`);
      if (!lock(file, WAIT_SECONDS)) {
        throw new StartError(
          `another command${holderIn(path)} has changed the units of ${program} for more than ${WAIT_SECONDS} s: wait for its end, or end it; then run this again`,
        );
      }
    }
    noteHolder(file);
    return await work();
  } finally {
    closeSync(file);
  }
}

function openLock(path: string): number {
  try {
    return openSync(path, 'a+', 0o600);
  } catch (error) {
    throw new StartError(`could not open ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** Takes the lock, which belongs to the open file and so outlives flock(1). @returns whether it was free in time */
function lock(file: number, waitSeconds = 0): boolean {
  const waiting = waitSeconds === 0 ? ['--nonblock'] : ['--timeout', String(waitSeconds)];
  const { status, error, signal, stderr } = spawnSync('flock', [...waiting, String(INHERITED)], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe', file],
    timeout: waitSeconds * SECOND_MS + GRACE_MS,
  });
  if (status === 0) return true;
  if (status === HELD && stderr === '') return false;
  const reason = error === undefined ? stderr.trim() || (signal ?? `exit status ${status}`) : messageOf(error);
  throw new StartError(`flock failed, by which commands wait for each other (${reason}): install util-linux`);
}

/** Writes the number of this process for those that wait; a full /run is no reason to stop. */
function noteHolder(file: number): void {
  try {
    ftruncateSync(file);
    writeSync(file, `${process.pid}\n`);
  } catch {
    // They wait without the number.
  }
}

/** The holder of the lock, in words that follow a noun. */
function holderIn(path: string): string {
  try {
    const [, pid] = /^(\d+)\n$/.exec(readFileSync(path, 'utf8')) ?? [];
    return pid === undefined ? '' : ` (process ${pid})`;
  } catch {
    // The number only helps the reader of the message.
    return '';
  }
}
