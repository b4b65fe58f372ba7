import { messageOf, StartError, systemCodeOf } from '../../kernel/errors.ts';
import { ConnectorError, isDoubtful } from '../errors.ts';

/** Codes of a full disk: SQLite's, PostgreSQL's SQLSTATE, the system's. */
const FULL: readonly string[] = ['SQLITE_FULL', '53100', 'ENOSPC'];

/** Failures that pass: a lock, a server that is starting, a broken connection. */
const PASSING: readonly RegExp[] = [
  /^SQLITE_(BUSY|LOCKED|IOERR|READONLY|CANTOPEN|PROTOCOL)/,
  // SQLSTATE classes: connections; conflicts between transactions; resources; an operator's intervention; the system.
  /^(08|40|53|57|58)/,
  /^(55P03|25006|25P03)$/,
  /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOENT|ENOTFOUND|EAI_)/,
];

/**
 * Messages of the driver and the pool for failures without a code; the last three are those of connections that have ended,
 * and of calls that still waited for one.
 */
const PASSING_WORDS =
  /(?:^| - )(?:Connection terminated|The claim on the database)|timeout expired|Query read timeout|Timeout acquiring a connection|Connection ended|is not queryable$|^Unable to acquire a connection$|^aborted$/;

/** Whether the database has no room left; reading still works. */
export const isFull = (error: unknown): boolean => FULL.includes(codeOf(error));

const codeOf = (error: unknown): string => systemCodeOf(error instanceof ConnectorError ? error.cause : error) ?? '';

/** Turns a known failure into an error with a remedy for the caller; any other error is a bug and stays as it is. */
function explained(error: unknown): unknown {
  if (error instanceof ConnectorError) return error;
  if (isFull(error)) {
    return new ConnectorError(
      'database_full',
      'the disk of the database is full: nothing can be sent or changed until there is room; reading still works',
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

/** Beginning of the messages about a claim that is lost or in doubt; these may come from outside of the operations. */
const OF_CLAIM = /(?:^| - )The claim on the database/;

/** Turns a failure of the database while a process starts into a StartError; any other error stays as it is. */
export function asStartError(error: unknown): unknown {
  const isOfDatabase = (error instanceof ConnectorError && isDoubtful(error)) || OF_CLAIM.test(messageOf(error));
  if (!isOfDatabase) return error;
  const reason = messageOf(error instanceof ConnectorError && error.cause !== undefined ? error.cause : error);
  return new StartError(
    `the database failed during the start (${reason}). See that it answers and has room, then start this program again`,
    { cause: error },
  );
}

/**
 * Wraps the operations so that they explain failures of the database.
 * @throws ConnectorError database_full, database_unavailable
 */
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
