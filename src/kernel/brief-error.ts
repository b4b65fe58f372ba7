import { stdSerializers } from 'pino';

/** Longest text in the log. A database's message can be a statement of hundreds of lines, followed by the reason. */
const TEXT_MAX_CHARACTERS = 2_000;
const KEPT_AT_BEGIN = 500;

/**
 * An error for the log: its texts keep their beginning and their end. A thrown value that is no `Error` is logged
 * unchanged.
 */
export function briefError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return Object.fromEntries(
    Object.entries(stdSerializers.err(error)).map(([name, value]) => [
      name,
      typeof value === 'string' ? shortened(value) : value,
    ]),
  );
}

function shortened(text: string): string {
  if (text.length <= TEXT_MAX_CHARACTERS) return text;
  return `${text.slice(0, KEPT_AT_BEGIN)} … ${text.slice(KEPT_AT_BEGIN - TEXT_MAX_CHARACTERS)}`;
}
