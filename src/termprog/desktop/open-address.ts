import { startProgram } from './start-program.ts';

/** The desktop's program for addresses; freedesktop.org, xdg-utils. */
const OPENER = 'xdg-open';

/** One that fails later has opened it before: it was the browser. A desktop that does not answer keeps it waiting for half of that. */
const OPENING_MAX_MS = 60_000;

/**
 * Has the desktop open an address, without a shell. What is opened may be the program itself, which then runs as long as
 * its user likes: it is in a session of its own, and outlives the terminal.
 * @param failed is told in a line what went wrong
 * @param openingMaxMs after so long the opener is what it has started; 60 s
 */
export function openAddress(
  address: string,
  environment: Readonly<Record<string, string>>,
  failed: (message: string) => void,
  openingMaxMs = OPENING_MAX_MS,
): void {
  const startMs = performance.now();
  const { spawn } = process.getBuiltinModule('node:child_process');
  const tell = (error: NodeJS.ErrnoException): void =>
    failed(error.code === 'ENOENT' ? `there is no program ${OPENER} on PATH; xdg-utils has it` : error.message);
  const child = startProgram(
    () => spawn(OPENER, [address], { env: environment, stdio: 'ignore', detached: true }),
    tell,
  );
  child?.on('error', tell);
  child?.on('exit', (status) => {
    const isOpened = status === null || status === 0 || performance.now() - startMs > openingMaxMs;
    if (!isOpened) failed(`${OPENER} ended with status ${status}`);
  });
  child?.unref();
}
