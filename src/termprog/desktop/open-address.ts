import { startProgram } from './start-program.ts';

/** The desktop's program for addresses; freedesktop.org, xdg-utils. */
const OPENER = 'xdg-open';

/**
 * An opener that fails after this time was itself the browser, so the address was opened. A desktop that does not
 * answer delays it for half of that.
 */
const OPENING_MAX_MS = 60_000;

/**
 * Opens an address by the desktop, without a shell. The opener may be the opened program itself, which then runs as
 * long as its user wants: it has its own session, and outlives the terminal.
 * @param failed gets one line about the failure
 * @param openingMaxMs time after which a failure of the opener counts as the opened program's; 60 s
 */
export function openAddress(
  address: string,
  environment: Readonly<Record<string, string>>,
  failed: (message: string) => void,
  openingMaxMs = OPENING_MAX_MS,
): void {
  const startMs = performance.now();
  const { spawn } = process.getBuiltinModule('node:child_process');
  const fail = (error: NodeJS.ErrnoException): void =>
    failed(error.code === 'ENOENT' ? `there is no program ${OPENER} on PATH; xdg-utils has it` : error.message);
  const child = startProgram(
    () => spawn(OPENER, [address], { env: environment, stdio: 'ignore', detached: true }),
    fail,
  );
  child?.on('error', fail);
  child?.on('exit', (status) => {
    const isOpened = status === null || status === 0 || performance.now() - startMs > openingMaxMs;
    if (!isOpened) failed(`${OPENER} ended with status ${status}`);
  });
  child?.unref();
}
