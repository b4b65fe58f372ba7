import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { messageOf } from '../../kernel/errors.ts';
import { FailedCommandError, MissingProgramError } from '../errors.ts';

/** A program of the machine and its arguments; no shell ever parses them. */
export interface Command {
  /** Name without a directory. */
  program: string;
  args: readonly string[];
  /**
   * Receives the output piece by piece, in place of `CommandResult.output`; an error that it throws ends the command.
   */
  onOutput?: (piece: Buffer) => void;
  /** Most bytes of output; a command that prints more is ended. */
  maxOutputBytes?: number;
  /** Deadline in milliseconds, if shorter than the one of all commands. */
  deadlineMs?: number;
}

/** Result of a command that ended by itself. */
export interface CommandResult {
  /** Exit status; what other than 0 means depends on the program. */
  status: number;
  output: string;
  /** Its standard error as one line, safe to show. */
  complaint: string;
}

/** Directories of system programs, searched after those of the environment. */
const SYSTEM_DIRECTORIES = ['/run/current-system/sw/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Time after which a command gets SIGKILL; the rest of the report must not wait longer. */
const COMMAND_DEADLINE_MS = 5_000;

/** Default limit of output; no real list of units, zones or tunnels is longer. */
const OUTPUT_MAX_BYTES = 8 * 1024 * 1024;

/**
 * Characters of standard error that are kept, and shown; so far apart that the cut never splits a key that is shown.
 */
const COMPLAINT_KEPT_CHARACTERS = 4096;
const COMPLAINT_SHOWN_CHARACTERS = 300;

/** Most processes at a time, including those that SIGKILL has not ended. */
const RUNNING_MAX = 8;

/**
 * Node waits on its only thread until the kernel has loaded a program that it starts. The file of a program, or of its
 * interpreter, may be where a file system does not answer; then a shell waits for it, and is killed at the deadline.
 */
const SHELL = '/bin/sh';
const BECOME_PROGRAM = 'exec "$0" "$@"';

/** Exit status of a shell that could not execute the program; its standard error then names the file. */
const NOT_STARTED: readonly number[] = [126, 127];

/**
 * The whole environment of programs. The agent's own is not passed on: a language or a pager would change the output.
 */
const FIXED_ENVIRONMENT = {
  LC_ALL: 'C',
  TZ: 'UTC',
  NO_COLOR: '1',
  SYSTEMD_COLORS: '0',
  SYSTEMD_PAGER: '',
  SYSTEMD_URLIFY: '0',
};

/** WireGuard keys, should a program ever complain about one. */
const KEYS = /[A-Za-z0-9+/]{43}=/g;

/** Whether this process may run a file. */
type IsExecutable = (file: string) => boolean | Promise<boolean>;

interface CommandRunnerOptions {
  deadlineMs?: number;
  /** Throws where the file's mount does not answer. */
  isExecutable?: IsExecutable;
}

/**
 * Runs programs of the machine, each within a deadline.
 * A command that is requested again while its last run has not ended fails at once, so that hung ones do not pile up.
 */
export class CommandRunner {
  readonly #directories: readonly string[];
  readonly #deadlineMs: number;
  readonly #isExecutable: IsExecutable;
  readonly #running = new Map<string, ChildProcess>();
  #isClosed = false;

  /** @param path directories to search before those of the system, as `PATH` has them */
  constructor(
    path: string | undefined,
    { deadlineMs = COMMAND_DEADLINE_MS, isExecutable = isExecutableFile }: CommandRunnerOptions = {},
  ) {
    this.#deadlineMs = deadlineMs;
    this.#isExecutable = isExecutable;
    const named = (path ?? '').split(':').filter((directory) => directory.startsWith('/'));
    this.#directories = [...new Set([...named, ...SYSTEM_DIRECTORIES])];
  }

  /** @throws MissingProgramError when there is no such program, FailedCommandError when it did not end by itself */
  async run(command: Command): Promise<CommandResult> {
    const file = await this.#find(command.program);
    const isShellThere = await this.#isExecutable(SHELL);
    // A collection may go on while the agent ends: a command that it started now would outlive the agent.
    if (this.#isClosed) throw new FailedCommandError(command.program, 'was not run, because the agent ends');
    const key = [command.program, ...command.args].join('\0');
    if (this.#running.has(key)) {
      throw new FailedCommandError(command.program, 'is still running since an earlier collection');
    }
    if (this.#running.size >= RUNNING_MAX) {
      throw new FailedCommandError(command.program, `was not run, because ${RUNNING_MAX} commands have not ended`);
    }
    const child = this.#start(isShellThere ? [SHELL, '-c', BECOME_PROGRAM, file] : [file], command);
    this.#running.set(key, child);
    const forget = (): void => void this.#running.delete(key);
    child.once('exit', forget).once('error', forget);
    const result = await resultOf(child, command, Math.min(this.#deadlineMs, command.deadlineMs ?? this.#deadlineMs));
    if (isShellThere && NOT_STARTED.includes(result.status) && result.complaint.includes(file))
      throw new FailedCommandError(command.program, `could not be started: ${result.complaint}`);
    return result;
  }

  /** Kills the running commands, and refuses to start further ones. */
  close(): void {
    this.#isClosed = true;
    for (const child of this.#running.values()) killGroup(child);
  }

  async #find(program: string): Promise<string> {
    for (const directory of this.#directories) {
      const file = `${directory}/${program}`;
      if (await this.#isExecutable(file)) return file;
    }
    throw new MissingProgramError(program);
  }

  #start([file, ...first]: readonly [string, ...string[]], { program, args }: Command): ChildProcess {
    try {
      return spawn(file, [...first, ...args], {
        cwd: '/',
        // The command gets a process group of its own, so that its helpers end with it.
        detached: true,
        env: { ...FIXED_ENVIRONMENT, PATH: this.#directories.join(':') },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      throw new FailedCommandError(program, `could not be started: ${messageOf(error)}`);
    }
  }
}

/** Result of a command. It settles at the deadline at the latest, even if the kernel cannot end the process then. */
function resultOf(
  child: ChildProcess,
  { program, onOutput, maxOutputBytes }: Command,
  deadlineMs: number,
): Promise<CommandResult> {
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const max = maxOutputBytes ?? OUTPUT_MAX_BYTES;
  const pieces: Buffer[] = [];
  let length = 0;
  let complaint = '';
  const fail = (error: unknown): void => {
    killGroup(child);
    reject(error);
  };
  const take = (piece: Buffer): void => {
    length += piece.length;
    if (length > max)
      throw new FailedCommandError(program, `printed more than ${max} bytes and was ended`, { wasCut: true });
    if (onOutput === undefined) pieces.push(piece);
    else onOutput(piece);
  };
  child.stdout?.on('data', (piece: Buffer) => {
    try {
      take(piece);
    } catch (error) {
      fail(error);
    }
  });
  child.stderr?.on('data', (piece: Buffer) => {
    if (complaint.length < COMPLAINT_KEPT_CHARACTERS) complaint += piece.toString('utf8');
  });
  child.once('error', (error) => reject(new FailedCommandError(program, `could not be started: ${messageOf(error)}`)));
  child.once('close', (status, signal) => {
    if (status === null) reject(new FailedCommandError(program, `was ended by ${signal}`));
    else resolve({ status, output: Buffer.concat(pieces).toString('utf8'), complaint: shown(complaint) });
  });
  const timer = setTimeout(() => {
    const what = `did not end within ${Math.round(deadlineMs / 100) / 10} s and was killed`;
    fail(new FailedCommandError(program, what, { wasCut: true }));
  }, deadlineMs);
  return promise.finally(() => clearTimeout(timer));
}

function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // The file is missing, or not executable for this user: another directory may have the program.
    return false;
  }
}

function killGroup(child: ChildProcess): void {
  // Its output is not read any more, so that a process that cannot be killed does not fill the memory.
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process ended a moment ago.
  }
}

/**
 * One line of printable text without secrets. Its expressions take linear time, because a program may write endless
 * blanks.
 */
function shown(text: string): string {
  const lines = text.replace(KEYS, '(key)').split('\n');
  const line = lines
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('; ')
    .replaceAll(/\p{Cc}/gu, '\ufffd');
  return line.slice(0, COMPLAINT_SHOWN_CHARACTERS);
}
