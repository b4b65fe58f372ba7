import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { listProcesses, readIfThere } from '../stack/process-tree.ts';

/** Variable that names a file to which tests append the path of each temporary folder they make, one a line. */
export const FOLDERS_VARIABLE = 'HOMEPORT_TEST_FOLDERS';

/** Begin of the names of the folders that tests make. */
export const TEST_FOLDER = 'hp-';

const RUN_FOLDER = 'homeport-tests.';
const LIST = 'folders';
const OWNER = 'process';

/** Programs that were just ended may still write a last file. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 } as const;

/**
 * Makes the folder of a run. When it is disposed of, so is what tests have left that were interrupted: a database in
 * memory takes a hundred megabytes.
 */
export function makeRunFolder(): { path: string } & Disposable {
  removeThoseOfKilledRuns();
  const folder = mkdtempSync(join(tmpdir(), RUN_FOLDER));
  writeFileSync(join(folder, OWNER), nameOf(process.pid));
  process.env[FOLDERS_VARIABLE] = join(folder, LIST);
  return { path: folder, [Symbol.dispose]: () => remove(folder) };
}

/** A run that was killed could remove nothing. */
function removeThoseOfKilledRuns(): void {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(RUN_FOLDER))) {
    const folder = join(tmpdir(), name);
    const owner = readIfThere(join(folder, OWNER));
    if (isOwn(folder) && hasEnded(owner)) remove(folder);
  }
}

/** Names a process for all who see its number space; another one that gets its number later has another name. */
const nameOf = (pid: number): string =>
  `${readlinkSync('/proc/self/ns/pid')} ${pid} ${listProcesses().find((each) => each.pid === pid)?.startedAt}`;

/** False for a process in a container, which this one does not see. */
function hasEnded(name: string): boolean {
  const [space, pid] = name.split(' ');
  return space === readlinkSync('/proc/self/ns/pid') && nameOf(Number(pid)) !== name;
}

/** What can't be removed stays on the list, for the next run. */
function remove(folder: string): void {
  killProgramsOf(folder);
  const listed = Buffer.from(readIfThere(join(folder, LIST)), 'latin1')
    .toString('utf8')
    .split('\n');
  const folders = listed.filter((path) => basename(path).startsWith(TEST_FOLDER));
  const left = folders.filter((path) => !isRemoved(path));
  if (left.length === 0) isRemoved(folder);
}

function isRemoved(folder: string): boolean {
  try {
    unmountBelow(folder);
    rmSync(folder, REMOVAL);
    return true;
  } catch (error) {
    console.error(`could not remove ${folder}:`, error);
    return false;
  }
}

/** Kills what still runs of a run: it would write into folders that are being removed. */
function killProgramsOf(folder: string): void {
  const mark = Buffer.from(`${FOLDERS_VARIABLE}=${join(folder, LIST)}`).toString('latin1');
  for (const { pid } of listProcesses()) {
    if (pid === process.pid || !readIfThere(`/proc/${pid}/environ`).split('\0').includes(mark)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

/**
 * Unmounts what tests have mounted in a folder, so that its removal does not reach into what is mounted there.
 * @throws Error if that is not possible
 */
function unmountBelow(folder: string): void {
  const mounts = readIfThere('/proc/self/mountinfo')
    .split('\n')
    .map((line) => (line.split(' ')[4] ?? '').replaceAll('\\040', ' '))
    .filter((place) => place === folder || place.startsWith(`${folder}/`));
  for (const place of mounts.toReversed())
    execFileSync('umount', ['--lazy', place], { stdio: 'pipe', timeout: 10_000 });
}

/** Whether this user has made it: others may put anything into a folder for temporary files. */
function isOwn(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats !== undefined && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
}
