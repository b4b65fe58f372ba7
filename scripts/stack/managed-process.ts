import { createWriteStream } from 'node:fs';
import { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { countWorkOfGroup } from './idle-clock.ts';

// Tests replace the clock; these end real programs.
const { setTimeout, clearTimeout } = globalThis;

/** Time that a process may take to end after SIGTERM before it gets SIGKILL. */
const STOP_DEADLINE_MS = 30_000;

/** Time in which the rest of its output arrives after its end. Programs that it has left behind may keep it open. */
const LAST_OUTPUT_MS = 1_000;

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
  /** Sends SIGTERM, and after a deadline SIGKILL to it and all of its group; resolves when the process has ended. */
  stop(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts a program. The kernel kills it when this process dies, even by SIGKILL: setpriv(1) sets the parent-death signal.
 * A program that is missing ends with status 127.
 * @throws Error when setpriv(1) can't be started
 */
export function startProcess({ name, command, cwd, env, logFile }: ProcessSpec): ManagedProcess {
  const child = spawn(command, { ...process.env, ...env }, cwd);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name}: ${command[0]} could not be started`);
  let kept = '';
  const keep = (text: string): void => {
    kept = (kept + text).slice(-OUTPUT_KEPT_CHARACTERS);
  };
  const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'a', mode: 0o600 });
  log?.on('error', ({ message }) => keep(`\n[not in the log file any more: ${message}]\n`));
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder('utf8');
    stream?.on('data', (chunk: Buffer) => {
      keep(decoder.write(chunk));
      log?.write(chunk);
    });
  }
  // Programs that it leaves behind may write more after its end.
  void child.then(
    () => log?.end(),
    () => log?.end(),
  );
  countWorkOfGroup(pid);
  const ended = endOf(child);
  return {
    name,
    pid,
    ended,
    output: () => kept,
    kill: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => killGroup(pid), STOP_DEADLINE_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

type Child = ReturnType<typeof spawn>;

const spawn = (
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string | undefined,
) =>
  execa('setpriv', ['--pdeathsig', 'KILL', '--', ...command], {
    reject: false,
    // A program may take its time to end; `stop` has a deadline.
    forceKillAfterDelay: false,
    buffer: false,
    stdin: 'ignore',
    env,
    extendEnv: false,
    // The program gets a process group of its own, so that Ctrl-C in the terminal reaches this process alone and it
    // ends the others in order.
    detached: true,
    ...(cwd === undefined ? {} : { cwd }),
  });

/** Resolves when the process has ended and its output is complete, or shortly after its end. */
async function endOf(child: Child): Promise<ProcessEnd> {
  const exited = new Promise<ProcessEnd>((resolve) => {
    child.nodeChildProcess.once('exit', async (exitCode, signal) => {
      await delay(LAST_OUTPUT_MS, undefined, { ref: false });
      for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
      resolve({ exitCode: exitCode ?? undefined, signal: signal ?? undefined });
    });
  });
  const complete = child.then(
    ({ exitCode, signal }): ProcessEnd => ({ exitCode, signal }),
    (): ProcessEnd => ({ exitCode: undefined, signal: undefined }),
  );
  return await Promise.race([complete, exited]);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All have ended.
  }
}
