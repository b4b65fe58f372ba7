import { messageOf, systemCodeOf } from '../../kernel/errors.ts';
import { ConnectorError } from '../errors.ts';

/** SQLite's code, PostgreSQL's SQLSTATE. */
const FULL: readonly string[] = ['SQLITE_FULL', '53100', 'ENOSPC'];

/** What passes: a lock, a server that is being started, a connection that broke. */
const PASSING: readonly RegExp[] = [
  /^SQLITE_(BUSY|LOCKED|IOERR|READONLY|CANTOPEN|PROTOCOL)/,
  // Connections; transactions that met another; resources; an operator's intervention; the system.
  /^(08|40|53|57|58)/,
  /^(55P03|25006|25P03)$/,
  /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOENT|ENOTFOUND|EAI_)/,
];

/** The driver and the pool have no codes for these. */
const PASSING_WORDS =
  /^Connection terminated|timeout expired|Query read timeout|Timeout acquiring a connection|Connection ended/;

/** Whether the database can't store anything more; what it has can still be read. */
export const isFull = (error: unknown): boolean => FULL.includes(codeOf(error));

const codeOf = (error: unknown): string => systemCodeOf(error instanceof ConnectorError ? error.cause : error) ?? '';

/** A refusal with which everybody who asks can do something; anything else is a bug and stays what it is. */
function explained(error: unknown): unknown {
  if (error instanceof ConnectorError) return error;
  if (isFull(error)) {
    return new ConnectorError(
      'database_full',
      'the disk of the database is full: nothing can be sent or changed until there is room, what is there can be read',
      { cause: error },
    );
  }
  if (!PASSING.some((code) => code.test(codeOf(error))) && !PASSING_WORDS.test(messageOf(error))) return error;
  return new ConnectorError(
    'database_unavailable',
    'the database does not answer at the moment: try again in a minute',
    {
      cause: error,
    },
  );
}

/** The same operations; where the database fails, they say so. @throws ConnectorError database_full, database_unavailable */
export function withFailuresExplained<T extends object>(operations: T): T {
  const wrapped = Object.entries(operations).map(([name, run]: [string, (...args: unknown[]) => Promise<unknown>]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await run(...args);
      } catch (error) {
        throw explained(error);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}
