import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process';
import { messageOf, StartError } from '../errors.ts';

/** Default deadline; systemd starts and stops units in far less time. */
const COMMAND_DEADLINE_MS = 60_000;

/** How a command is run. */
export interface RunOptions {
  /** Where it may take longer than usual. */
  deadlineMs?: number;
  /** Runs it in a session of its own, which the signals of a terminal do not reach. */
  isShielded?: boolean;
}

/**
 * Runs a command to its end.
 * @returns its standard output
 * @throws StartError when it fails, with what it printed, in one line
 */
export function runCommand(command: readonly string[], options: RunOptions = {}): string {
  const { output, complaint } = attempt(command, options);
  if (complaint !== undefined) throw new StartError(complaint);
  return output;
}

/** Whether a command succeeds; one that cannot be run does not. */
export function succeeds(command: readonly string[], options: RunOptions = {}): boolean {
  return complaintOf(command, options) === undefined;
}

/**
 * Runs a command to its end.
 * @returns the error message of a command that failed, in one line; undefined if it succeeds
 */
export function complaintOf(command: readonly string[], options: RunOptions = {}): string | undefined {
  return attempt(command, options).complaint;
}

/** `spawnSync` takes `detached` as `spawn` does, and its types lack it. */
type SpawnOptionsOfSession = SpawnSyncOptionsWithStringEncoding & { detached: boolean };

/** @returns what it printed, and why it failed, in one line */
function attempt(
  command: readonly string[],
  { deadlineMs = COMMAND_DEADLINE_MS, isShielded = false }: RunOptions,
): { output: string; complaint: string | undefined } {
  const [program = '', ...args] = command;
  const options: SpawnOptionsOfSession = {
    encoding: 'utf8',
    timeout: deadlineMs,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isShielded,
  };
  const { status, signal, error, stdout, stderr } = spawnSync(program, args, options);
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
