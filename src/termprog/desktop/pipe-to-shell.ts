import { startProgram } from './start-program.ts';

/** The standard error stream of this program. */
const STANDARD_ERROR = 2;

/** Capacity of a pipe; pipe(7). */
const PIPE_BYTES = 65_536;

/** More than any input has, so that a command never gets less. */
const KEPT_BYTES = 1 << 26;

/**
 * Changes the directory, then runs the command. The shell changes the directory itself: a hanging one, as of an
 * unreachable server, holds up only the command, and a missing one is ignored.
 */
const GO = 'if [ -n "$1" ]; then cd -- "$1" 2>/dev/null; fi';
const RUN = `${GO}; exec /bin/sh -c "$2"`;
/**
 * Runs the command with a long input: all of it is read at once and kept in memory, so that it does not end with this
 * program.
 */
const KEEP_AND_RUN = `${GO}; tail -c ${KEPT_BYTES} | /bin/sh -c "$2"`;

export interface ShellCommand {
  /** The command in the syntax of `sh -c`. */
  command: string;
  /** Its input; it is never part of the command. */
  input: string;
  /** Its directory, if that exists; undefined for this program's own. */
  directory: string | undefined;
  environment: Readonly<Record<string, string>>;
}

/**
 * Runs a shell command with a text on its standard input. Its output goes to this program's standard error stream. It
 * has its own session, so that it survives a closed window and an interrupted starter.
 * @param ended is called once, with the reason if the command could not be started
 */
export function pipeToShell(
  { command, input, directory, environment }: ShellCommand,
  ended: (failure?: string) => void,
): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const bytes = Buffer.from(input);
  const script = bytes.length > PIPE_BYTES ? KEEP_AND_RUN : RUN;
  const fail = (error: Error): void => ended(error.message);
  const child = startProgram(
    () =>
      spawn('/bin/sh', ['-c', script, 'sh', directory ?? '', command], {
        env: environment,
        stdio: ['pipe', STANDARD_ERROR, STANDARD_ERROR],
        detached: true,
      }),
    fail,
  );
  child?.on('error', fail);
  child?.on('exit', () => ended());
  // A command need not read its input.
  child?.stdin?.on('error', () => {});
  child?.stdin?.end(bytes);
  child?.unref();
}
