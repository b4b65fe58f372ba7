import { AppError } from '../kernel/errors.ts';

/** Stable codes of the reasons for which the terminal ends before or while it runs. */
export type ErrorCode =
  | 'bad_option'
  | 'display_unavailable'
  | 'request_refused'
  | 'font_unavailable'
  | 'outline_fonts_unavailable'
  | 'face_unavailable'
  | 'pty_unavailable'
  | 'command_unavailable';

/** The command line can't be understood; the usage text follows the message. */
export class BadOptionError extends AppError<ErrorCode> {
  readonly code = 'bad_option';
}

/** The X server can't be reached, refused the connection, or went away. */
export class DisplayUnavailableError extends AppError<ErrorCode> {
  readonly code = 'display_unavailable';
}

/** The X server answered a request with an error, or the request can't be made. */
export class RequestRefusedError extends AppError<ErrorCode> {
  readonly code = 'request_refused';
}

/** No usable bitmap font: both the configured one and `fixed` are missing. */
export class FontUnavailableError extends AppError<ErrorCode> {
  readonly code = 'font_unavailable';
}

/** Outline fonts can't be drawn at all on this machine; bitmap fonts are used instead. */
export class OutlineFontsUnavailableError extends AppError<ErrorCode> {
  readonly code = 'outline_fonts_unavailable';
}

/** A face can't be opened: its file is gone or damaged, or it would be too large. */
export class FaceUnavailableError extends AppError<ErrorCode> {
  readonly code = 'face_unavailable';
}

/** The pseudo-terminal could not be created. */
export class PtyUnavailableError extends AppError<ErrorCode> {
  readonly code = 'pty_unavailable';
}

/** Error names → the reasons why a program can't be started. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program',
  EACCES: 'it may not be executed',
  ENOTDIR: 'a part of its path is not a folder',
};

/** The command is not a program that can be started. */
export class CommandUnavailableError extends AppError<ErrorCode> {
  readonly code = 'command_unavailable';
  /** Name of the error number. */
  readonly reason: string;

  constructor(program: string, reason: string) {
    const why = REASONS[reason];
    super(
      `the command ${program} can't be started: ${why === undefined ? reason : `${why} (${reason})`}; -e takes a program and its arguments, or one word for the shell`,
    );
    this.reason = reason;
  }
}
