export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Keys whose values never reach a log, at the top level of a record and one below. */
export const SECRET_KEYS: readonly string[] = [
  'token',
  'password',
  'secret',
  'authorization',
  'cookie',
  'callbackUrl',
  'text',
];

/** The log's interface for the parts of a program; a thrown error goes into the field `err`. */
export type Logger = Readonly<Record<LogLevel, (fields: object, message: string) => void>>;
