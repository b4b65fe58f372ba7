import { basename } from 'node:path';

/** The facts that determine the shell when no command is given. */
export interface ShellFacts {
  /** The variable `$SHELL`. */
  environmentShell: string | undefined;
  /** The shell of the password file's entry. */
  passwordShell: string | undefined;
  /** Content of the shells file; shells(5). */
  shellsFile: string;
  isExecutable(path: string): boolean;
}

const LAST_RESORT = '/bin/sh';

/**
 * Returns the shell to run: `$SHELL` if it is the absolute path of an executable file, otherwise the password file's if
 * the shells file lists it, otherwise `/bin/sh`.
 * @spec termprog#terminal-widget-resources-termvt100 loginShell
 */
export function chooseShell({ environmentShell, passwordShell, shellsFile, isExecutable }: ShellFacts): string {
  if (environmentShell?.startsWith('/') && isExecutable(environmentShell)) return environmentShell;
  const listed = shellsFile.split('\n').map((line) => line.trim());
  return passwordShell !== undefined && listed.includes(passwordShell) && isExecutable(passwordShell)
    ? passwordShell
    : LAST_RESORT;
}

/** Returns argument zero: the shell's name, with a leading dash for a login shell. */
export function shellArgumentZero(shell: string, isLogin: boolean): string {
  return isLogin ? `-${basename(shell)}` : basename(shell);
}
