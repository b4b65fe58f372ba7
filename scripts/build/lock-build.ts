import { spawnSync } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';

const FOLDER = 'dist';

/** Deadline for another build or release of this checkout: a release compiles SQLite twice. */
const WAIT_SECONDS = 1_800;

/** Descriptor of the folder in flock(1). */
const INHERITED = 3;
/** flock(1): another process holds the lock. */
const HELD = 1;

/**
 * Keeps other builds and releases of this checkout waiting until this process ends. A release would pack files of two
 * builds, and a build would mark files as complete that another one is writing. The kernel releases the lock when the
 * process ends, even if it is killed.
 * @throws {Error} if another one does not end in time
 */
export function lockBuild(): void {
  mkdirSync(FOLDER, { recursive: true });
  // Open to the end of the process.
  const folder = openSync(FOLDER, 'r');
  if (lock(folder, 0)) return;
  console.error('waiting for another build or release of this checkout to end');
  if (!lock(folder, WAIT_SECONDS))
    throw new Error(
      `another build or release of this checkout has not ended within ${WAIT_SECONDS} s: end it, then run again`,
    );
}

function lock(file: number, waitSeconds: number): boolean {
  const waiting = waitSeconds === 0 ? ['--nonblock'] : ['--timeout', String(waitSeconds)];
  const { status, error } = spawnSync('flock', [...waiting, String(INHERITED)], {
    stdio: ['ignore', 'ignore', 'inherit', file],
  });
  // A machine without flock(1) builds as before: one at a time is then its owner's matter.
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return true;
  if (status === 0) return true;
  if (status === HELD) return false;
  throw new Error(`flock failed (${error?.message ?? `exit status ${status}`})`);
}
