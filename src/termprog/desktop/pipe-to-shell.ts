import { startProgram } from './start-program.ts';

/** The standard error stream of this program. */
const STANDARD_ERROR = 2;

/** What a pipe holds; pipe(7). */
const PIPE_BYTES = 65_536;

/** More than any input has; a command never gets less for it. */
const KEPT_BYTES = 1 << 26;

/**
 * The directory, and then the command. The shell goes to the directory itself: one that hangs, as that of a server that
 * is gone, holds up nobody else, and one that is not there is no obstacle.
 */
const GO = 'if [ -n "$1" ]; then cd -- "$1" 2>/dev/null; fi';
const RUN = `${GO}; exec /bin/sh -c "$2"`;
/** The same for a long input: all of it is taken at once and kept in memory, so that it does not end with this program. */
const KEEP_AND_RUN = `${GO}; tail -c ${KEPT_BYTES} | /bin/sh -c "$2"`;

export interface ShellCommand {
  /** As `sh -c` takes it. */
  command: string;
  /** What it reads; it is never part of the command. */
  input: string;
  /** Where it runs, if it is there; undefined for this program's own directory. */
  directory: string | undefined;
  environment: Readonly<Record<string, string>>;
}

/**
 * Runs a shell command with a text on its standard input. What it writes goes where this program's messages go. It has a
 * session of its own, so that neither a closed window nor an interrupted starter ends it.
 * @param ended is called once, with what went wrong if the command could not be started
 */
export function pipeToShell(
  { command, input, directory, environment }: ShellCommand,
  ended: (failure?: string) => void,
): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const bytes = Buffer.from(input);
  const script = bytes.length > PIPE_BYTES ? KEEP_AND_RUN : RUN;
  const tell = (error: Error): void => ended(error.message);
  const child = startProgram(
    () =>
      spawn('/bin/sh', ['-c', script, 'sh', directory ?? '', command], {
        env: environment,
        stdio: ['pipe', STANDARD_ERROR, STANDARD_ERROR],
        detached: true,
      }),
    tell,
  );
  child?.on('error', tell);
  child?.on('exit', () => ended());
  // A command need not read all of it, or any.
  child?.stdin?.on('error', () => {});
  child?.stdin?.end(bytes);
  child?.unref();
}
