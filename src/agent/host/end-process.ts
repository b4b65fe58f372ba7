/**
 * Ends the process although a system call hangs in one of its threads.
 * `process.exit` would wait for that thread for ever; replacing the process image by one that ends at once does not.
 */
export function endProcess(status: number, isHanging: boolean): never {
  if (isHanging && process.execve !== undefined) {
    process.execve(process.execPath, [process.execPath, ...process.execArgv, '-e', `process.exit(${status})`], {});
  }
  process.exit(status);
}
