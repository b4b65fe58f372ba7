import { writeSync } from 'node:fs';
import { systemClock } from '../kernel/clock.ts';
import { LOG_LEVELS, type Logger, type LogLevel, SECRET_KEYS } from '../kernel/logger.ts';

/** File descriptor of standard error. */
const STANDARD_ERROR = 2;

/**
 * The lines that the kernel's log writes, without the library it is made with:
 * that is a sixth of this program's time to its first answer, for a handful of lines a day.
 */
export function createLog(program: string, level: LogLevel, write: (line: string) => void = writeLine): Logger {
  const least = LOG_LEVELS.indexOf(level);
  const writer = (own: LogLevel): Logger[LogLevel] => {
    if (LOG_LEVELS.indexOf(own) < least) return () => undefined;
    return (fields, message) => {
      const time = new Date(systemClock.now()).toISOString();
      write(`${JSON.stringify({ level: own, time, name: program, ...loggable(fields), msg: message })}\n`);
    };
  };
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') };
}

function loggable(fields: object, depth = 0): Record<string, unknown> {
  const shown = Object.entries(fields).filter(([key]) => !SECRET_KEYS.includes(key));
  return Object.fromEntries(shown.map(([key, value]) => [key, loggableValue(value, depth)]));
}

function loggableValue(value: unknown, depth: number): unknown {
  if (value instanceof Error) return { type: value.name, message: value.message, stack: value.stack };
  const isNested = depth === 0 && typeof value === 'object' && value !== null && !Array.isArray(value);
  return isNested ? loggable(value, depth + 1) : value;
}

/** A reader that has gone or does not keep up costs a line, never the service. */
function writeLine(line: string): void {
  try {
    writeSync(STANDARD_ERROR, line);
  } catch {
    // There is no other place to say so.
  }
}
