import { basename } from 'node:path';
import { shellArgumentZero } from './login-shell.ts';

/** A program and its arguments, argument zero first. */
export interface Invocation {
  /** Absolute path, or a name that is searched on PATH. */
  program: string;
  argv: readonly string[];
}

/** The command of a terminal. */
export interface ChildCommand extends Invocation {
  /** Started instead if `program` is not a program. */
  fallback?: Invocation;
}

/**
 * Returns the command of `-e`, otherwise the shell. One word that is not a program is a command line for the shell, as
 * in `-e 'ls | less'`; xterm does the same.
 * @param words the arguments after `-e`
 */
export function childCommand(
  words: readonly string[] | undefined,
  { shell, isLogin }: { shell: string; isLogin: boolean },
): ChildCommand {
  const [program, ...rest] = words ?? [];
  if (program === undefined) return { program: shell, argv: [shellArgumentZero(shell, isLogin)] };
  if (rest.length > 0) return { program, argv: [program, ...rest] };
  return { program, argv: [program], fallback: { program: shell, argv: [basename(shell), '-c', program] } };
}
