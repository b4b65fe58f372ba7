import { AppError, messageOf } from '../kernel/errors.ts';

/** Stable reasons why a section of the report is missing. */
export type AgentErrorCode = 'source_unreadable' | 'source_unparsable' | 'program_missing' | 'command_failed';

/** A file of the machine could not be read; `cause` is the system error. */
export class UnreadableSourceError extends AppError<AgentErrorCode> {
  readonly code = 'source_unreadable';
  readonly source: string;
  constructor(source: string, cause: unknown) {
    // Node appends the call and the path, which stand in this message already.
    super(`could not read ${source}: ${messageOf(cause).split(',')[0]}`, { cause });
    this.source = source;
  }
}

/** A file of the machine does not have the form its documentation gives it. */
export class UnparsableSourceError extends AppError<AgentErrorCode> {
  readonly code = 'source_unparsable';
  readonly source: string;
  constructor(source: string, expected: string) {
    super(`could not understand ${source}: expected ${expected}`);
    this.source = source;
  }
}

/** No directory of programs has this one. */
export class MissingProgramError extends AppError<AgentErrorCode> {
  readonly code = 'program_missing';
  readonly program: string;
  constructor(program: string) {
    super(`the program ${program} is not installed`);
    this.program = program;
  }
}

/** A command did not end by itself, or not well; the message never holds its output. */
export class FailedCommandError extends AppError<AgentErrorCode> {
  readonly code = 'command_failed';
  readonly program: string;
  constructor(program: string, what: string) {
    super(`${program} ${what}`);
    this.program = program;
  }
}
