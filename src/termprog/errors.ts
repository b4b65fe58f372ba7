import { AppError } from '../kernel/errors.ts';

/** Stable reasons for which the terminal ends before or while it runs. */
export type ErrorCode =
  | 'bad_option'
  | 'display_unavailable'
  | 'request_refused'
  | 'font_unavailable'
  | 'pty_unavailable';

/** The command line can't be understood; the usage text follows the message. */
export class BadOptionError extends AppError<ErrorCode> {
  readonly code = 'bad_option';
}

/** The X server can't be reached, refused the connection, or went away. */
export class DisplayUnavailableError extends AppError<ErrorCode> {
  readonly code = 'display_unavailable';
}

/** The X server answered a question with an error, or can't be asked it. */
export class RequestRefusedError extends AppError<ErrorCode> {
  readonly code = 'request_refused';
}

/** No usable bitmap font: neither the one configured nor `fixed`. */
export class FontUnavailableError extends AppError<ErrorCode> {
  readonly code = 'font_unavailable';
}

/** The pseudo-terminal or the child could not be made. */
export class PtyUnavailableError extends AppError<ErrorCode> {
  readonly code = 'pty_unavailable';
}
