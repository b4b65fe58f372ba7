/** Base of every error thrown on purpose; anything else that reaches an edge is a bug. */
export abstract class AppError<Code extends string = string> extends Error {
  abstract readonly code: Code;
  override get name(): string {
    return this.constructor.name;
  }
}

/** Exit status of a program that was configured wrongly; EX_CONFIG of sysexits(3). */
export const EXIT_CONFIG = 78;

/** The configuration can't be used; `problems` has one line each, ready to print. */
export class ConfigError extends AppError<'config_invalid'> {
  readonly code = 'config_invalid';
  readonly source: string;
  readonly problems: readonly string[];
  constructor(source: string, problems: readonly string[]) {
    super(`${source}: ${problems.length} problem${problems.length === 1 ? '' : 's'}`);
    this.source = source;
    this.problems = problems;
  }

  /** The whole report as a person reads it, ending without a newline. */
  report(): string {
    return [`${this.message}`, ...this.problems.map((problem) => `  ${problem}`)].join('\n');
  }
}

/** The program can't start for a reason outside its configuration file; the message says what to do. */
export class StartError extends AppError<'start_failed'> {
  readonly code = 'start_failed';
  /** `EXIT_CONFIG` if a restart is useless until a person changes something. */
  readonly exitStatus: number;
  constructor(message: string, { exitStatus = 1, ...options }: ErrorOptions & { exitStatus?: number } = {}) {
    super(message, options);
    this.exitStatus = exitStatus;
  }
}

/**
 * Makes a text from outside safe for a message of one line: control characters, which a terminal would obey, are
 * replaced.
 */
export const onOneLine = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\ufffd');

/** Text of anything thrown, for messages and logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a Node system error such as `ENOENT`, else undefined. */
export function systemCodeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
