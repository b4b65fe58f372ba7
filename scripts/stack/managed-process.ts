import { createWriteStream } from 'node:fs';
import { execa, type Options } from 'execa';

/** Time that a process may take to end after SIGTERM before it gets SIGKILL. */
const STOP_DEADLINE_MS = 30_000;

/** Characters of a process's output that are kept for messages. */
const OUTPUT_KEPT_CHARACTERS = 64 * 1024;

export interface ProcessSpec {
  /** Name for messages. */
  name: string;
  /** Program, then its arguments. */
  command: readonly [string, ...string[]];
  cwd?: string;
  /** Added to this process's environment; undefined removes a variable. */
  env?: Record<string, string | undefined>;
  /** File that gets everything the process prints. */
  logFile?: string;
}

export interface ProcessEnd {
  exitCode: number | undefined;
  signal: string | undefined;
}

/** A child process that cannot outlive this one. */
export interface ManagedProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves when the process has ended, also after a failure; it never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** The newest part of what it printed, both streams. */
  output(): string;
  /** Sends SIGTERM, and SIGKILL after a deadline; resolves when the process has ended. */
  stop(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts a program. The kernel kills it when this process dies, even by SIGKILL: setpriv(1) sets the parent-death signal.
 * @throws Error naming the program when it can't be started
 */
export function startProcess({ name, command, cwd, env, logFile }: ProcessSpec): ManagedProcess {
  const options: Options = {
    reject: false,
    // A program may take its time to end; `stop` has a deadline.
    forceKillAfterDelay: false,
    buffer: false,
    stdin: 'ignore',
    env: { ...process.env, ...env },
    extendEnv: false,
    // The program gets a process group of its own, so that Ctrl-C in the terminal reaches this process alone and it
    // ends the others in order.
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
  };
  const child = execa('setpriv', ['--pdeathsig', 'KILL', '--', ...command], options);
  if (child.pid === undefined) throw new Error(`${name}: ${command[0]} could not be started`);
  let kept = '';
  const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'a', mode: 0o600 });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      kept = (kept + chunk.toString('utf8')).slice(-OUTPUT_KEPT_CHARACTERS);
      log?.write(chunk);
    });
  }
  const ended = child.then(
    (result): ProcessEnd => ({ exitCode: result.exitCode, signal: result.signal }),
    (): ProcessEnd => ({ exitCode: undefined, signal: undefined }),
  );
  void ended.then(() => log?.end());
  return {
    name,
    pid: child.pid,
    ended,
    output: () => kept,
    kill: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
