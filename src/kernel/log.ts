import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { briefError } from './brief-error.ts';
import { type LogLevel, SECRET_KEYS } from './logger.ts';

export type { Logger } from 'pino';

/** JSON lines on standard error, which journald keeps. Secrets and IRC text are left out by key. */
export function createLog(program: string, level: LogLevel): Logger {
  return pino(
    {
      name: program,
      level,
      timestamp: stdTimeFunctions.isoTime,
      base: null,
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), remove: true },
      serializers: { err: briefError },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination({ dest: 2, sync: true }),
  );
}
