import { VERSION } from '../../kernel/version.ts';
import { CommandUnavailableError } from '../errors.ts';
import type { Child, ChildEnd, PtySize } from '../pty/child.ts';
import type { ChildCommand, Invocation } from '../pty/child-command.ts';
import { childEnvironment } from '../pty/child-environment.ts';
import { toldOpenFilesLimit } from '../pty/open-files-limit.ts';
import { Pty } from '../pty/pty.ts';
import { UnstartedChild } from '../pty/unstarted-child.ts';

/** With these statuses shells say that there is no such command, and that it may not be executed; POSIX 2.8.2. */
const NOT_FOUND_STATUS = 127;
const NOT_EXECUTABLE_STATUS = 126;

export interface ChildCircumstances {
  /** This program's own. */
  environment: Readonly<Record<string, string | undefined>>;
  shell: string;
  termName: string;
  windowId: number;
  display: string;
  size: PtySize;
  /** Whether the window stays when its child has ended. */
  staysVisible(): boolean;
}

export interface StartedChild {
  child: Child;
  /** What it is told, as `NAME=value`. */
  variables: readonly string[];
  /** Undefined when there is no process. */
  processId: number | undefined;
  /** What the end of the child says was wrong with the command. */
  failureOf(end: ChildEnd): CommandUnavailableError | undefined;
}

/**
 * Starts the command, or its fallback. In a window that stays, a command that can't be started is told of there.
 * @throws CommandUnavailableError when neither can be started, and the window would not stay
 */
export function startChild({ fallback, ...command }: ChildCommand, circumstances: ChildCircumstances): StartedChild {
  const { environment, size, staysVisible } = circumstances;
  const variables = childEnvironment(environment, { ...circumstances, version: VERSION });
  const openFilesLimit = toldOpenFilesLimit(environment);
  const start = ({ program, argv }: Invocation): Pty =>
    new Pty({ program, argv, environment: variables, size, openFilesLimit });
  const failure = attempt(() => start(command));
  if (!(failure instanceof CommandUnavailableError))
    return { child: failure, variables, processId: failure.pid, failureOf: () => undefined };
  const child = fallback && attempt(() => start(fallback));
  if (child !== undefined && !(child instanceof CommandUnavailableError)) {
    const told = failure.reason === 'EACCES' ? [NOT_FOUND_STATUS, NOT_EXECUTABLE_STATUS] : [NOT_FOUND_STATUS];
    return {
      child,
      variables,
      processId: child.pid,
      failureOf: ({ exitCode }) => (told.includes(exitCode ?? 0) ? failure : undefined),
    };
  }
  if (!staysVisible()) throw failure;
  return {
    child: new UnstartedChild(`termprog: ${failure.message}`),
    variables,
    processId: undefined,
    failureOf: () => failure,
  };
}

function attempt(start: () => Pty): Pty | CommandUnavailableError {
  try {
    return start();
  } catch (error) {
    if (error instanceof CommandUnavailableError) return error;
    throw error;
  }
}
