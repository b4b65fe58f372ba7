import { accessSync, constants } from 'node:fs';

/** The smallest program that every machine has. */
const SHELL = '/bin/sh';

/**
 * Ends the process although a system call hangs in one of its threads.
 * `process.exit` would wait for that thread for ever; replacing the process image by one that ends at once does not.
 * It is a shell where there is one: Node reads /proc/meminfo when it starts, which may be the file that hangs.
 */
export function endProcess(status: number, isHanging: boolean): never {
  if (isHanging && process.execve !== undefined) {
    if (isExecutable(SHELL)) process.execve(SHELL, [SHELL, '-c', `exit ${status}`], {});
    process.execve(process.execPath, [process.execPath, ...process.execArgv, '-e', `process.exit(${status})`], {});
  }
  process.exit(status);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // The file is missing, or may not be run.
    return false;
  }
}
