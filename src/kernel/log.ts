import { destination, type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Keys whose values never reach the log, at the top level of a record and one below. */
const SECRET_KEYS = ['token', 'password', 'secret', 'authorization', 'cookie', 'callbackUrl', 'text'];

/** JSON lines on standard error, which journald keeps. Secrets and IRC text are left out by key. */
export function createLog(program: string, level: LogLevel): Logger {
  return pino(
    {
      name: program,
      level,
      timestamp: stdTimeFunctions.isoTime,
      base: null,
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), remove: true },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination({ dest: 2, sync: true }),
  );
}
