import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Time that a terminal may take to end after SIGTERM before it gets SIGKILL. */
const STOP_DEADLINE_MS = 3_000;

/** 80 columns and 24 rows of `fixed` with a padding of 2 pixels, at the corner of the screen, 1,024 lines of history. */
const shape = ['-fn', 'fixed', '-geometry', '80x24+0+0', '-sl', '1024', '-bg', 'white', '-fg', 'black'];

export type TerminalName = 'xterm' | 'urxvt' | 'termprog';

/** Commands of the compared terminals, with options that make them look alike. */
export const terminals: Readonly<Record<TerminalName, readonly string[]>> = {
  xterm: ['xterm', '-u8', '-bw', '0', ...shape],
  urxvt: ['urxvt', '-bl', '-b', '2', '+sb', ...shape],
  termprog: ['bin/termprog', ...shape],
};

/** Options for the same outline font in each of them. */
export const outlineFont: Readonly<Record<TerminalName, readonly string[]>> = {
  xterm: ['-fa', 'DejaVu Sans Mono', '-fs', '10'],
  urxvt: ['-fn', 'xft:DejaVu Sans Mono:size=10'],
  termprog: ['-fa', 'DejaVu Sans Mono', '-fs', '10'],
};

export const terminalNames = Object.keys(terminals) as TerminalName[];

/** A running terminal, seen from outside. */
export interface Terminal extends AsyncDisposable {
  readonly pid: number;
  /** Time all its threads have had on a CPU. */
  cpuMs(): number;
  residentMiB(): number;
  /** Voluntary context switches of its threads so far; each one ends with a wake-up. */
  wakeUps(): number;
  readonly isAlive: boolean;
}

/**
 * Starts a terminal that runs a shell script. It ends with its X server, so no terminal outlives the benchmark.
 * @param more options, stronger than what all terminals have in common
 */
export function startTerminal(
  name: TerminalName,
  script: string,
  environment: Readonly<Record<string, string>>,
  more: readonly string[] = [],
): Terminal {
  return startCommand([...terminals[name], ...more], script, environment);
}

/** Our terminal without its shell script, in a process that writes a profile of itself into `folder` when it ends. */
export function startProfiled(script: string, environment: Readonly<Record<string, string>>, folder: string): Terminal {
  const profiled = [process.execPath, '--cpu-prof', `--cpu-prof-dir=${folder}`, 'dist/termprog.cjs', ...shape];
  return startCommand(profiled, script, environment);
}

/** The smallest program in Node.js that shows a text; no terminal in Node.js can start with less. */
export const startSmallestClient = (environment: Readonly<Record<string, string>>): Terminal =>
  startProgram([process.execPath, 'bench/termprog/smallest-client.cjs'], environment);

const startCommand = (
  command: readonly string[],
  script: string,
  environment: Readonly<Record<string, string>>,
): Terminal => startProgram([...command, '-e', 'sh', '-c', script], environment);

function startProgram(
  [program = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
): Terminal {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      HOME: '/nonexistent',
      XFILESEARCHPATH: '/nonexistent/%N',
      LC_ALL: 'C.UTF-8',
      ...environment,
    },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} could not be started: is it installed?`);
  return {
    pid,
    cpuMs: () => sum(pid, 'schedstat', (text) => Number(text.split(' ')[0]) / 1e6),
    residentMiB: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    wakeUps: () => sum(pid, 'status', (text) => Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(text)?.[1])),
    get isAlive() {
      return child.exitCode === null && child.signalCode === null;
    },
    [Symbol.asyncDispose]: () => stop(child),
  };
}

/** Sum of a value over all threads of a process. */
function sum(pid: number, file: string, read: (text: string) => number): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => read(readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8')))
    .reduce((total, value) => total + value, 0);
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
