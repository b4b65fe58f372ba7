import type { Knex } from 'knex';
import Postgres, { type PostgresConnection } from 'knex/lib/dialects/postgres/index.js';
import Sqlite from 'knex/lib/dialects/sqlite3/index.js';
import { messageOf } from '../../../kernel/errors.ts';
import { metered } from '../../database-time.ts';
import type { Claim } from '../../ports/claims.ts';
import { checkOf, runFenced } from './fence.ts';
import { doorOf } from './pool-door.ts';

/**
 * Removes NUL from texts: PostgreSQL refuses a statement with one, and SQLite's functions take it for the end of the text.
 * All values pass here, so that no text from outside can break a statement, and both databases store the same.
 */
const withoutNul = (bindings: unknown[] | undefined): unknown[] | undefined =>
  bindings?.map((value) =>
    typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value,
  );

interface Statement {
  sql: string;
  method?: string;
  /** Options of PostgreSQL's driver. */
  options?: Readonly<Record<string, unknown>>;
}

/** Longest wait of a statement of SQLite for another program that writes. */
export const BUSY_TIMEOUT_MS = 5_000;
/** A connection to PostgreSQL counts as broken after this time without an answer. */
export const ANSWER_DEADLINE_MS = 25_000;
/** Same deadline for the session that takes the slot: a little longer than the server gives its statements. */
export const SHARE_ANSWER_DEADLINE_MS = 9_000;

/** Least time for the end of a transaction, which is sent even after the request's time is over. */
const END_MS = 2_000;

const endsTransaction = ({ sql }: Statement): boolean => /^(?:COMMIT|ROLLBACK)/i.test(sql);

/** @throws Error if no time is left */
function timeFor(statement: Statement, leftMs: number | undefined): number | undefined {
  if (leftMs === undefined) return undefined;
  if (endsTransaction(statement)) return Math.max(leftMs, END_MS);
  if (leftMs <= 0) throw new Error('timeout expired: the request has had its time with the database');
  return Math.ceil(leftMs);
}

/** A connection of the driver; its setting outlasts the statement. */
interface BusyConnection {
  configure?(option: 'busyTimeout', ms: number): void;
  __busyTimeoutMs?: number;
}

export class SqliteClient extends Sqlite {
  /** Loads our bundled driver. The library's own method would advise to install it, which hides our reason. */
  override initializeDriver(): void {
    this.driver = this._driver();
  }

  override acquireConnection(): Promise<unknown> {
    return doorOf(this.pool).acquire(
      () => super.acquireConnection(),
      (connection) => this.releaseConnection(connection),
    );
  }

  override releaseConnection(connection: unknown): Promise<unknown> {
    const released = super.releaseConnection(connection);
    doorOf(this.pool).released(connection);
    return released;
  }

  override prepBindings(bindings: unknown[] | undefined): unknown[] | undefined {
    return withoutNul(bindings);
  }

  /**
   * On a full disk SQLite usually rolls back by itself. The failure of our own rollback must not hide the cause, and a
   * transaction that could not be committed must not stay open on the only connection.
   */
  override async _query(connection: unknown, statement: Statement): Promise<unknown> {
    try {
      return await metered((leftMs) => {
        waitForLocks(connection as BusyConnection, timeFor(statement, leftMs));
        return super._query(connection, statement);
      });
    } catch (error) {
      if (statement.sql.startsWith('ROLLBACK') && /no transaction is active|no such savepoint/.test(messageOf(error))) {
        return statement;
      }
      if (statement.sql.startsWith('COMMIT')) {
        // The failure of the COMMIT is the caller's; the connection may have ended with it.
        await this._query(connection, { sql: 'ROLLBACK', method: 'raw' }).catch(() => undefined);
      }
      throw error;
    }
  }
}

/**
 * Shortens the wait for locks to the request's time: SQLite waits in a thread of its own, which can't be interrupted.
 */
function waitForLocks(connection: BusyConnection, leftMs: number | undefined): void {
  const ms = Math.min(BUSY_TIMEOUT_MS, leftMs ?? BUSY_TIMEOUT_MS);
  if (ms === (connection.__busyTimeoutMs ?? BUSY_TIMEOUT_MS)) return;
  connection.configure?.('busyTimeout', ms);
  connection.__busyTimeoutMs = ms;
}

export class PostgresClient extends Postgres {
  override acquireConnection(): Promise<unknown> {
    return doorOf(this.pool).acquire(
      () => super.acquireConnection(),
      (connection) => this.releaseConnection(connection),
    );
  }

  override releaseConnection(connection: unknown): Promise<unknown> {
    const released = super.releaseConnection(connection);
    doorOf(this.pool).released(connection);
    return released;
  }

  override prepBindings(bindings: unknown[] | undefined): unknown[] | undefined {
    return withoutNul(bindings);
  }

  /** A connection whose answer is overdue is closed: the next statement would only wait behind the first. */
  override async _query(connection: PostgresConnection, statement: Statement): Promise<unknown> {
    try {
      return await metered((leftMs) => {
        const ms = timeFor(statement, leftMs);
        if (ms !== undefined)
          statement.options = { ...statement.options, query_timeout: Math.min(ANSWER_DEADLINE_MS, ms) };
        return super._query(connection, statement);
      });
    } catch (error) {
      if (messageOf(error) === 'Query read timeout') connection.__knex__disposed = error;
      throw error;
    }
  }
}

/** Client of the session by which a process takes the slot and sends its heartbeats. */
export class ShareClient extends PostgresClient {
  /** Closes the connection with an overdue answer: the end of its transaction would wait behind it for as long. */
  override async _query(connection: PostgresConnection, statement: Statement): Promise<unknown> {
    try {
      return await super._query(connection, statement);
    } catch (error) {
      if (connection.__knex__disposed !== undefined) resetConnection(connection);
      throw error;
    }
  }
}

const IN_DOUBT =
  'The claim on the database is in doubt: expected an answer about it from the server in the last seconds, received none';

/** Makes a client whose connections run no statement while the claim is not trusted: another process may write then. */
export function clientUnder(claim: Claim): typeof PostgresClient {
  const asking = new Set<PostgresConnection>();
  const check = checkOf(claim);
  claim.onDoubt(() => {
    for (const connection of asking) resetConnection(connection);
  });
  return class extends PostgresClient {
    override async acquireConnection(): Promise<unknown> {
      if (!claim.isTrusted()) throw new Error(IN_DOUBT);
      return super.acquireConnection();
    }

    override async _query(connection: PostgresConnection, statement: Statement): Promise<unknown> {
      if (!claim.isTrusted()) {
        const error = new Error(IN_DOUBT);
        // A transaction may be open on the connection; it ends with the connection.
        connection.__knex__disposed = error;
        throw error;
      }
      asking.add(connection);
      try {
        const run = (one: Statement): Promise<unknown> => super._query(connection, one);
        return await (check === undefined ? run(statement) : runFenced({ connection, check }, statement, run));
      } finally {
        asking.delete(connection);
      }
    }
  };
}

/** Resets a connection, so that the kernel does not deliver unsent statements to the server later. */
export function resetConnection(connection: PostgresConnection): void {
  const socket = connection.connection?.stream;
  try {
    socket?.resetAndDestroy();
  } catch {
    // Sockets of files, and TLS, can't be reset.
    socket?.destroy();
  }
}

/** Keeps the library from printing beside the log; every failure reaches the caller anyway. */
export const SILENT: Knex.Logger = {
  warn: () => undefined,
  error: () => undefined,
  deprecate: () => undefined,
  debug: () => undefined,
};
