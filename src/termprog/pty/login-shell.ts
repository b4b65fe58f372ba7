import { basename } from 'node:path';

/** The facts that decide which shell runs when no command is given. */
export interface ShellFacts {
  /** `$SHELL`. */
  environmentShell: string | undefined;
  /** The shell of the password file's entry. */
  passwordShell: string | undefined;
  /** Content of the shells file; shells(5). */
  shellsFile: string;
  isExecutable(path: string): boolean;
}

const LAST_RESORT = '/bin/sh';

/**
 * The shell to run: `$SHELL` when it is the absolute path of an executable file, else the password file's when the
 * shells file lists it, else `/bin/sh`.
 * @spec termprog#terminal-widget-resources-termvt100 loginShell
 */
export function chooseShell({ environmentShell, passwordShell, shellsFile, isExecutable }: ShellFacts): string {
  if (environmentShell?.startsWith('/') && isExecutable(environmentShell)) return environmentShell;
  const listed = shellsFile.split('\n').map((line) => line.trim());
  return passwordShell !== undefined && listed.includes(passwordShell) && isExecutable(passwordShell)
    ? passwordShell
    : LAST_RESORT;
}

/** Argument zero: the shell's name, with a leading dash for a login shell. */
export function shellArgumentZero(shell: string, isLogin: boolean): string {
  return isLogin ? `-${basename(shell)}` : basename(shell);
}
