import { AppError, messageOf } from '../kernel/errors.ts';

/** Stable reasons why a section of the report is missing. */
export type AgentErrorCode = 'source_unreadable' | 'source_unparsable';

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
