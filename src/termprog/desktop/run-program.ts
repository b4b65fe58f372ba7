import { startProgram } from './start-program.ts';

/** Longest run of a program on a desktop that does not answer. */
const DEADLINE_MS = 5_000;

/** The reason why a program failed. */
export interface ProgramFailure {
  message: string;
  /** Whether the program does not exist; other failures may be temporary. */
  isMissing: boolean;
}

/**
 * Runs a program of the desktop, without a shell; its output is dropped. One that exceeds its time is killed, because
 * it may ignore a request to end.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  failed: (failure: ProgramFailure) => void,
  deadlineMs = DEADLINE_MS,
): void {
  // Loading the module takes 2 ms of a start, and few sessions run a program of the desktop.
  const { execFile } = process.getBuiltinModule('node:child_process');
  const options = { timeout: deadlineMs, killSignal: 'SIGKILL', maxBuffer: 65_536 } as const;
  const fail = (error: Error & { code?: unknown }): void => {
    const message = `${program}: ${error.message.split('\n', 1)[0]}`;
    failed({ message, isMissing: error.code === 'ENOENT' });
  };
  const child = startProgram(
    () =>
      execFile(program, [...args], options, (error) => {
        if (error !== null) fail(error);
      }),
    fail,
  );
  // The terminal may end before the program does.
  child?.unref();
}
