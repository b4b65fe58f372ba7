import { execFileSync } from 'node:child_process';
import { messageOf, StartError } from '../errors.ts';

/** systemd starts and stops what it is asked to well within. */
const COMMAND_DEADLINE_MS = 60_000;

/**
 * Runs a command to its end.
 * @param deadlineMs where it may take longer than usual
 * @returns its standard output
 * @throws StartError when it fails
 */
export function runCommand(command: readonly string[], deadlineMs = COMMAND_DEADLINE_MS): string {
  const [program = '', ...args] = command;
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      timeout: deadlineMs,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    throw new StartError(`${spelled(command)} failed: ${messageOf(error)}`, { cause: error });
  }
}

/** Whether a command succeeds; one that cannot be run does not. */
export function succeeds(command: readonly string[]): boolean {
  const [program = '', ...args] = command;
  try {
    execFileSync(program, args, { timeout: COMMAND_DEADLINE_MS, stdio: 'ignore' });
    return true;
  } catch {
    // Its exit status is the answer.
    return false;
  }
}

/** As a person would type it. */
export function spelled(command: readonly string[]): string {
  return command.map((word) => (/[\s"]/.test(word) ? `'${word}'` : word)).join(' ');
}
