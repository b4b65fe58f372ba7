import { startProgram } from './start-program.ts';

/** A desktop that does not answer keeps a program no longer than this. */
const DEADLINE_MS = 5_000;

/** Why a program did not do its work. */
export interface ProgramFailure {
  message: string;
  /** There is no such program; any other failure may pass. */
  isMissing: boolean;
}

/**
 * Runs a program of the desktop, without a shell; its output is not kept. One that takes too long is killed: it may have
 * reasons not to end when it is asked to.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  failed: (failure: ProgramFailure) => void,
  deadlineMs = DEADLINE_MS,
): void {
  // Loading it is 2 ms of a start, and few sessions run a program of the desktop.
  const { execFile } = process.getBuiltinModule('node:child_process');
  const options = { timeout: deadlineMs, killSignal: 'SIGKILL', maxBuffer: 65_536 } as const;
  const tell = (error: Error & { code?: unknown }): void => {
    const message = `${program}: ${error.message.split('\n', 1)[0]}`;
    failed({ message, isMissing: error.code === 'ENOENT' });
  };
  const child = startProgram(
    () =>
      execFile(program, [...args], options, (error) => {
        if (error !== null) tell(error);
      }),
    tell,
  );
  // The terminal may end before it does.
  child?.unref();
}
