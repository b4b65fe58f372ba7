import type { Knex } from 'knex';
import Postgres, { type PostgresConnection } from 'knex/lib/dialects/postgres/index.js';
import Sqlite from 'knex/lib/dialects/sqlite3/index.js';
import { messageOf } from '../../../kernel/errors.ts';

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
}

export class SqliteClient extends Sqlite {
  override prepBindings(bindings: unknown[] | undefined): unknown[] | undefined {
    return withoutNul(bindings);
  }

  /**
   * On a full disk SQLite usually rolls back by itself. The failure of our own rollback must not hide the cause, and a
   * transaction that could not be committed must not stay open on the only connection.
   */
  override async _query(connection: unknown, statement: Statement): Promise<unknown> {
    try {
      return await super._query(connection, statement);
    } catch (error) {
      if (statement.sql.startsWith('ROLLBACK') && /no transaction is active|no such savepoint/.test(messageOf(error))) {
        return statement;
      }
      if (statement.sql.startsWith('COMMIT')) {
        await this._query(connection, { sql: 'ROLLBACK', method: 'raw' }).catch(() => undefined);
      }
      throw error;
    }
  }
}

export class PostgresClient extends Postgres {
  override prepBindings(bindings: unknown[] | undefined): unknown[] | undefined {
    return withoutNul(bindings);
  }

  /** A connection whose answer is overdue must not be used again: the next statement would only wait behind the first. */
  override async _query(connection: PostgresConnection, statement: unknown): Promise<unknown> {
    try {
      return await super._query(connection, statement);
    } catch (error) {
      if (messageOf(error) === 'Query read timeout') connection.__knex__disposed = error;
      throw error;
    }
  }
}

/** Keeps the library from printing beside the log; every failure reaches the caller anyway. */
export const SILENT: Knex.Logger = {
  warn: () => undefined,
  error: () => undefined,
  deprecate: () => undefined,
  debug: () => undefined,
};
