import { VERSION } from '../../../kernel/version.ts';
import { CommandUnavailableError } from '../../errors.ts';
import type { Child, ChildEnd, PtySize } from '../../pty/child.ts';
import type { ChildCommand, Invocation } from '../../pty/child-command.ts';
import { childEnvironment } from '../../pty/child-environment.ts';
import { inheritedOpenFilesLimit } from '../../pty/open-files-limit.ts';
import { Pty } from '../../pty/pty.ts';
import { UnstartedChild } from '../../pty/unstarted-child.ts';

/** Exit statuses of a shell whose command does not exist or may not be executed; POSIX 2.8.2. */
const NOT_FOUND_STATUS = 127;
const NOT_EXECUTABLE_STATUS = 126;

export interface ChildCircumstances {
  /** This program's own environment. */
  environment: Readonly<Record<string, string | undefined>>;
  shell: string;
  termName: string;
  windowId: number;
  display: string;
  size: PtySize;
  /** Whether the window stays open after its child has ended. */
  staysVisible(): boolean;
}

export interface StartedChild {
  child: Child;
  /** The child's environment, as `NAME=value`. */
  variables: readonly string[];
  /** Undefined when there is no process. */
  processId: number | undefined;
  /** The failure of the command that the child's end implies; undefined if there was none. */
  failureOf(end: ChildEnd): CommandUnavailableError | undefined;
}

/**
 * Starts the command, or its fallback. If the window stays open, it shows the failure of a command that can't be
 * started.
 * @throws CommandUnavailableError when neither can be started, and the window would not stay
 */
export function startChild({ fallback, ...command }: ChildCommand, circumstances: ChildCircumstances): StartedChild {
  const { environment, size, staysVisible } = circumstances;
  const variables = childEnvironment(environment, { ...circumstances, version: VERSION });
  const openFilesLimit = inheritedOpenFilesLimit(environment);
  const start = ({ program, argv }: Invocation): Pty =>
    new Pty({ program, argv, environment: variables, size, openFilesLimit });
  const failure = attempt(() => start(command));
  if (!(failure instanceof CommandUnavailableError))
    return { child: failure, variables, processId: failure.pid, failureOf: () => undefined };
  const child = fallback && attempt(() => start(fallback));
  if (child !== undefined && !(child instanceof CommandUnavailableError)) {
    const statuses = failure.reason === 'EACCES' ? [NOT_FOUND_STATUS, NOT_EXECUTABLE_STATUS] : [NOT_FOUND_STATUS];
    return {
      child,
      variables,
      processId: child.pid,
      failureOf: ({ exitCode }) => (statuses.includes(exitCode ?? 0) ? failure : undefined),
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

/** Variable name → value, from `NAME=value`; a value may have further equals signs. */
export function variablesByName(variables: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    variables.map((text) => {
      const at = text.indexOf('=');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}
