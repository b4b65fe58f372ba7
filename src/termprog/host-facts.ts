import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { devNull, userInfo } from 'node:os';
import { systemCodeOf } from '../kernel/errors.ts';
import { isProgram } from './pty/is-program.ts';
import { chooseShell } from './pty/login-shell.ts';

/** Largest file that is read: a user's resources and cookies are kilobytes. */
export const FILE_MAX_BYTES = 4 * 1_024 * 1_024;

/** Smallest buffer for a read; files of the kernel report no size. */
const CHUNK_BYTES = 4_096;

/**
 * Returns the content of a regular file of at most `FILE_MAX_BYTES`. Undefined if there is no readable one. Pipes and
 * devices are refused: a variable that names one could make the start wait, or read without end.
 * @param report gets the reason why an existing file can't be read; folders count as missing, as in the X Toolkit
 */
export function readFile(path: string, report: (obstacle: string) => void = () => {}): Buffer | undefined {
  let file: number | undefined;
  // The user names this device to have an empty file.
  if (path === devNull) return Buffer.alloc(0);
  try {
    // A start asks for a dozen files that are missing; to open one makes an error with its stack.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    // Opening a pipe would otherwise wait for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const stats = fstatSync(file);
    if (!stats.isFile()) {
      if (!stats.isDirectory()) report('it is not a regular file');
      return undefined;
    }
    const content = stats.size <= FILE_MAX_BYTES ? readToEnd(file, stats.size) : undefined;
    if (content === undefined) report(`it has more than ${FILE_MAX_BYTES} bytes`);
    return content;
  } catch (error) {
    if (isFileThere(path, error)) report(`it can't be read (${systemCodeOf(error)})`);
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Whether the file exists despite the failure: a folder on its path may be inaccessible. */
function isFileThere(path: string, failure: unknown): boolean {
  try {
    return systemCodeOf(failure) !== 'ENOENT' && !lstatSync(path).isDirectory();
  } catch {
    // Without access to its folder the file counts as absent.
    return false;
  }
}

/** Undefined for a file that turns out larger than its reported size. */
function readToEnd(file: number, expectedBytes: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let total = 0; total <= FILE_MAX_BYTES; ) {
    // One byte more than expected shows that the end was reached without growth.
    const chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, expectedBytes + 1 - total));
    const bytesRead = readSync(file, chunk);
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
  return undefined;
}

/** Returns the user's home folder: HOME, otherwise that of the password file. */
export function homeFolder(environment: Readonly<Record<string, string | undefined>>): string {
  try {
    return environment['HOME'] ?? userInfo().homedir;
  } catch {
    // A user without an entry in the password file has no home folder.
    return '';
  }
}

/** Returns the shell of the user who runs this program. */
export function currentShell(environment: Readonly<Record<string, string | undefined>>): string {
  const environmentShell = environment['SHELL'];
  // A user lookup takes milliseconds, and its result is rarely needed.
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
    // The user has no entry.
    return undefined;
  }
}
