import { execFile } from 'node:child_process';

/** A desktop that does not answer keeps a program no longer than this. */
const DEADLINE_MS = 5_000;

/** Runs a program of the desktop, without a shell; its output is not kept. */
export function runProgram(program: string, args: readonly string[], failed: (message: string) => void): void {
  const child = execFile(program, [...args], { timeout: DEADLINE_MS, maxBuffer: 65_536 }, (error) => {
    if (error !== null) failed(`${program}: ${error.message.split('\n', 1)[0]}`);
  });
  // The terminal may end before it does.
  child.unref();
}
