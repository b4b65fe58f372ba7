import type { Knex } from 'knex';
import Postgres, { type PostgresConnection } from 'knex/lib/dialects/postgres/index.js';
import Sqlite from 'knex/lib/dialects/sqlite3/index.js';
import { messageOf } from '../../../kernel/errors.ts';

/**
 * Texts without NUL: PostgreSQL refuses a statement that has one, and SQLite's own functions take it for the end.
 * In the one place all values pass, so that what others send can break no statement, and both databases keep the same.
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
   * Where the disk is full SQLite mostly rolls back by itself: that nothing is left to roll back must not hide why, and a
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

  /** A connection that owes an answer must not be used again: the next statement would only wait behind it. */
  override async _query(connection: PostgresConnection, statement: unknown): Promise<unknown> {
    try {
      return await super._query(connection, statement);
    } catch (error) {
      if (messageOf(error) === 'Query read timeout') connection.__knex__disposed = error;
      throw error;
    }
  }
}

/** What the library would print beside the log; whoever asked is told of every failure anyway. */
export const SILENT: Knex.Logger = {
  warn: () => undefined,
  error: () => undefined,
  deprecate: () => undefined,
  debug: () => undefined,
};
