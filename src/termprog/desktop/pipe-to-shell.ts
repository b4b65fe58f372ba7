/** The standard error stream of this program. */
const STANDARD_ERROR = 2;

export interface ShellCommand {
  /** As `sh -c` takes it. */
  command: string;
  /** What it reads; it is never part of the command. */
  input: string;
  /** Where it runs; undefined for this program's own directory. */
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
  const child = spawn('/bin/sh', ['-c', command], {
    ...(directory !== undefined && { cwd: directory }),
    env: environment,
    stdio: ['pipe', STANDARD_ERROR, STANDARD_ERROR],
    detached: true,
  });
  child.on('error', (error) => ended(error.message));
  child.on('exit', () => ended());
  // A command need not read all of it, or any.
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  child.unref();
}
