import { AppError, messageOf, systemCodeOf } from '../kernel/errors.ts';

/** Stable reasons why a section of the report is missing. */
export type AgentErrorCode =
  | 'source_unreadable'
  | 'source_unparsable'
  | 'program_missing'
  | 'command_failed'
  | 'bus_unreachable'
  | 'bus_call_failed'
  | 'systemd_failed';

/** Characters of another program's error message that are repeated. */
const COMPLAINT_MAX_CHARACTERS = 300;

/** Error codes of files that exist but are closed to the agent. */
const CLOSED_CODES: readonly (string | undefined)[] = ['EACCES', 'EPERM'];
const CLOSED_REMEDY = ": let the agent's account read it (chmod o+r) and enter each directory on the way (chmod o+x)";

/** A file of the machine could not be read; `cause` is the system error. */
export class UnreadableSourceError extends AppError<AgentErrorCode> {
  readonly code = 'source_unreadable';
  readonly source: string;
  constructor(source: string, cause: unknown) {
    // Node appends the call and the path, which stand in this message already.
    const remedy = CLOSED_CODES.includes(systemCodeOf(cause)) ? CLOSED_REMEDY : '';
    super(`could not read ${source}: ${messageOf(cause).split(',')[0]}${remedy}`, { cause });
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

/** A command failed or did not end by itself; the message never contains its output. */
export class FailedCommandError extends AppError<AgentErrorCode> {
  readonly code = 'command_failed';
  readonly program: string;
  /** It worked, but was ended because it took too long or printed too much. */
  readonly wasCut: boolean;
  constructor(program: string, what: string, { wasCut = false } = {}) {
    super(`${program} ${what}`);
    this.program = program;
    this.wasCut = wasCut;
  }
}

/** There is no message bus at this socket, or the bus refuses this account. */
export class BusUnreachableError extends AppError<AgentErrorCode> {
  readonly code = 'bus_unreachable';
  constructor(path: string, cause: unknown) {
    super(`could not reach the message bus at ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** A call over a message bus came back as an error, or not at all. */
export class BusCallError extends AppError<AgentErrorCode> {
  readonly code = 'bus_call_failed';
  /** Name of the error by the peer; empty when the connection failed. */
  readonly errorName: string;
  constructor(errorName: string, text: string) {
    super(text.replaceAll(/\p{Cc}/gu, ' ').slice(0, COMPLAINT_MAX_CHARACTERS) || errorName);
    this.errorName = errorName;
  }
}

/** A service manager could not be asked, or its answer not be understood. */
export class SystemdError extends AppError<AgentErrorCode> {
  readonly code = 'systemd_failed';
}
