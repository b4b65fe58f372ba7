import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { devNull, userInfo } from 'node:os';
import { systemCodeOf } from '../kernel/errors.ts';
import { isProgram } from './pty/is-program.ts';
import { chooseShell } from './pty/login-shell.ts';

/** The largest file that is read: resources and cookies of a person are kilobytes. */
export const FILE_MAX_BYTES = 4 * 1_024 * 1_024;

/** Smallest buffer for a read; files of the kernel show no size. */
const CHUNK_BYTES = 4_096;

/**
 * Content of a regular file of at most `FILE_MAX_BYTES`. Undefined when there is none that may be read. Pipes and
 * devices don't count: a variable that names one could make the start wait, or read without end.
 * @param tell is told why what is there can't be read; folders count as nothing, as the X Toolkit has it
 */
export function readFile(path: string, tell: (obstacle: string) => void = () => {}): Buffer | undefined {
  let file: number | undefined;
  // Who names it wants nothing to be read.
  if (path === devNull) return Buffer.alloc(0);
  try {
    // Opening a pipe would wait for somebody who writes to it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const stats = fstatSync(file);
    if (!stats.isFile()) {
      if (!stats.isDirectory()) tell('it is not a regular file');
      return undefined;
    }
    const content = stats.size <= FILE_MAX_BYTES ? readToEnd(file, stats.size) : undefined;
    if (content === undefined) tell(`it has more than ${FILE_MAX_BYTES} bytes`);
    return content;
  } catch (error) {
    if (isFileThere(path, error)) tell(`it can't be read (${systemCodeOf(error)})`);
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Whether what failed is there all the same: a folder on the way to it may be closed. */
function isFileThere(path: string, failure: unknown): boolean {
  try {
    return systemCodeOf(failure) !== 'ENOENT' && !lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Undefined for a file that turns out larger than its reported size. */
function readToEnd(file: number, expectedBytes: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let total = 0; total <= FILE_MAX_BYTES; ) {
    // One byte more than expected tells that the end was reached without growing.
    const chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, expectedBytes + 1 - total));
    const bytesRead = readSync(file, chunk);
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
  return undefined;
}

/** The user's home folder: HOME, else that of the password file. */
export function homeFolder(environment: Readonly<Record<string, string | undefined>>): string {
  try {
    return environment['HOME'] ?? userInfo().homedir;
  } catch {
    // A user without an entry in the password file has none.
    return '';
  }
}

/** The shell of the user who runs this program. */
export function currentShell(environment: Readonly<Record<string, string | undefined>>): string {
  const environmentShell = environment['SHELL'];
  // Looking a user up takes milliseconds, and most of the time nobody asks for the answer.
  const isChosen = environmentShell?.startsWith('/') && isProgram(environmentShell);
  return chooseShell({
    environmentShell,
    passwordShell: isChosen ? undefined : passwordShell(),
    shellsFile: isChosen ? '' : (readFile('/etc/shells')?.toString('utf8') ?? ''),
    isExecutable: isProgram,
  });
}

/** Undefined for a user without an entry in the password file. */
function passwordShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined;
  }
}
