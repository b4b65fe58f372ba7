import { spawnSync } from 'node:child_process';
import { messageOf, StartError } from '../errors.ts';

/** Default deadline; systemd starts and stops units in far less time. */
const COMMAND_DEADLINE_MS = 60_000;

/**
 * Runs a command to its end.
 * @param deadlineMs where it may take longer than usual
 * @returns its standard output
 * @throws StartError when it fails, with what it printed, in one line
 */
export function runCommand(command: readonly string[], deadlineMs = COMMAND_DEADLINE_MS): string {
  const { output, complaint } = attempt(command, deadlineMs);
  if (complaint !== undefined) throw new StartError(complaint);
  return output;
}

/**
 * Whether a command succeeds; one that cannot be run does not.
 * @param deadlineMs where it may take longer than usual
 */
export function succeeds(command: readonly string[], deadlineMs = COMMAND_DEADLINE_MS): boolean {
  return complaintOf(command, deadlineMs) === undefined;
}

/**
 * Runs a command to its end.
 * @param deadlineMs where it may take longer than usual
 * @returns the error message of a command that failed, in one line; undefined if it succeeds
 */
export function complaintOf(command: readonly string[], deadlineMs = COMMAND_DEADLINE_MS): string | undefined {
  return attempt(command, deadlineMs).complaint;
}

/** @returns what it printed, and why it failed, in one line */
function attempt(command: readonly string[], deadlineMs: number): { output: string; complaint: string | undefined } {
  const [program = '', ...args] = command;
  const { status, signal, error, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: deadlineMs,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error === undefined && status === 0) return { output: stdout, complaint: undefined };
  const said = (stderr ?? '').trim().replaceAll(/\s*\n\s*/g, '; ');
  const ended = error === undefined ? (signal ?? `exit status ${status}`) : messageOf(error);
  return { output: stdout ?? '', complaint: `${spelled(command)} failed: ${said || ended}` };
}

/** The command as a person would type it. */
export const spelled = (command: readonly string[]): string => command.map(shellWord).join(' ');

/** A text as one word of a shell, which people paste: none of its characters has a meaning there. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
