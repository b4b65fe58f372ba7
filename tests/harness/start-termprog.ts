import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import { type ManagedProcess, startProcess } from '../../scripts/stack/managed-process.ts';
import { listTitledWindows, screenshotWindow } from '../../scripts/stack/screenshot.ts';
import { waitFor } from '../../scripts/stack/wait-for.ts';
import { startXvfb, type Xvfb } from '../../scripts/stack/xvfb.ts';
import { tempFolder } from './temp-folder.ts';

const run = promisify(execFile);

/** A private X server, a folder, and what tests do with them. */
export interface XDesktop extends AsyncDisposable {
  readonly folder: string;
  readonly environment: Xvfb['environment'];
  /** Path of a file that is not there yet, for scripts in a terminal to write to. */
  newFile(): string;
  /** Runs an X program to its end and returns its output. */
  run(program: string, ...args: string[]): Promise<string>;
  /** Ends the X server. */
  endServer(): void;
}

export interface TerminalOptions {
  /** Arguments before `-e`. */
  args?: string[];
  /** Shell script the terminal runs; without it, the shell. */
  script?: string;
  environment?: Record<string, string | undefined>;
}

/** A terminal program with its window. */
export interface StartedTerminal extends AsyncDisposable {
  readonly process: ManagedProcess;
  readonly window: number;
  screenshot(): Promise<PNG>;
}

const HERMETIC = {
  HOME: '/nonexistent',
  XFILESEARCHPATH: '/nonexistent/%N',
  LC_ALL: 'C.UTF-8',
  RESOURCE_NAME: undefined,
};

/** Returns the contents of a file; empty while it does not exist. */
export const contentOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** @param options of the X server */
export async function startXDesktop(options: readonly string[] = []): Promise<XDesktop> {
  const folder = await tempFolder();
  const xvfb = await startXvfb({ folder: folder.path, options });
  let files = 0;
  return {
    folder: folder.path,
    environment: xvfb.environment,
    newFile: () => {
      files += 1;
      return join(folder.path, `written-${files}`);
    },
    run: async (program, ...args) =>
      (await run(program, args, { env: { ...process.env, ...xvfb.environment }, timeout: 120_000 })).stdout,
    endServer: () => xvfb.process.kill('SIGKILL'),
    [Symbol.asyncDispose]: async () => {
      await xvfb.process.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Launcher of another terminal than the one that was built: tests of tests set it. */
export const LAUNCHER_VARIABLE = 'HOMEPORT_TERMPROG';

/** Runs the built termprog through its launcher, without waiting for a window. */
export function spawnTermprog(
  args: readonly string[],
  environment: Record<string, string | undefined>,
): ManagedProcess {
  return startProcess({
    name: 'termprog',
    command: [process.env[LAUNCHER_VARIABLE] ?? join('bin', 'termprog'), ...args],
    env: { ...HERMETIC, ...environment },
  });
}

let serial = 0;

/** Starts termprog and waits for its window. */
export function startTermprog(desktop: XDesktop, options: TerminalOptions = {}): Promise<StartedTerminal> {
  return startTerminal(desktop, options, (args) =>
    spawnTermprog(args, { ...desktop.environment, ...options.environment }),
  );
}

/** Starts the reference terminal in the same way. */
export function startXterm(desktop: XDesktop, options: TerminalOptions = {}): Promise<StartedTerminal> {
  return startTerminal(desktop, options, (args) =>
    startProcess({
      name: 'xterm',
      command: ['xterm', '-u8', '-bw', '0', '-fn', 'fixed', ...args],
      env: { ...HERMETIC, ...desktop.environment, ...options.environment },
    }),
  );
}

async function startTerminal(
  desktop: XDesktop,
  { args = [], script }: TerminalOptions,
  start: (args: string[]) => ManagedProcess,
): Promise<StartedTerminal> {
  serial += 1;
  const title = `terminal ${serial}`;
  const command = script === undefined ? [] : ['-e', 'sh', '-c', script];
  const process = start(['-title', title, ...args, ...command]);
  const { id: window } = await waitFor(
    'the terminal shows its window',
    // The script may have given it another title already.
    async () =>
      (await listTitledWindows(desktop.environment)).find(
        (candidate) => candidate.title === title || candidate.pid === process.pid,
      ),
    { process },
  );
  return {
    process,
    window,
    screenshot: async () => PNG.sync.read(await screenshotWindow(desktop.environment, window)),
    [Symbol.asyncDispose]: () => process.stop(),
  };
}
