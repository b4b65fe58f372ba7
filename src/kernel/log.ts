import type { Writable } from 'node:stream';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { briefError } from './brief-error.ts';
import { systemClock } from './clock.ts';
import { LineOutput } from './line-output.ts';
import { type LogLevel, SECRET_KEYS } from './logger.ts';

export type { Logger } from 'pino';

/** Longest time that an ending program waits for the reader of its log. */
const END_DEADLINE_MS = 1_000;

/**
 * JSON lines on standard error, which journald keeps. Secrets and IRC text are left out by key.
 * @param output in place of standard error
 * @param fields of every line, behind the program's name
 */
export function createLog(
  program: string,
  level: LogLevel,
  output: Writable = process.stderr,
  fields: Readonly<Record<string, string>> = {},
): Logger {
  const base = { name: program, ...fields };
  const lines = new LineOutput(output, (lost) => {
    const time = new Date(systemClock.now()).toISOString();
    return `${JSON.stringify({ level: 'warn', time, ...base, lost, msg: 'lines of this log are missing, because they were not read in time or could not be written' })}\n`;
  });
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      base,
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), remove: true },
      serializers: { err: briefError },
      formatters: { level: (label) => ({ level: label }) },
    },
    lines,
  );
}

/** Resolves when the log is written, so that its last lines outlive the process; with a reader that stalls, after a deadline. */
export async function logWritten(log: Logger): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const deadline = setTimeout(resolve, END_DEADLINE_MS);
  log.flush(() => resolve());
  await promise;
  clearTimeout(deadline);
}
