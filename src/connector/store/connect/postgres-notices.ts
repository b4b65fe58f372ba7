import type { Knex } from 'knex';
import type { PostgresConnection } from 'knex/lib/dialects/postgres/index.js';
import { CHANNEL } from '../notices/notice.ts';
import { resetConnection } from './clients.ts';

/** Longest time without an answer after which the connection counts as broken. */
const ANSWER_DEADLINE_MS = 3_000;

/** A connection that hears the notices of other processes, and publishes. */
export interface NoticeSession {
  /** Sends payloads, outside of any transaction. @throws Error when the server does not answer in time */
  publish(payloads: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** How a process reaches the others on the same database. */
export interface NoticeServer {
  /**
   * Opens a connection that hears all later notices.
   * @param heard gets each payload, also those of this process
   * @param ended is called when the connection has ended
   */
  openNotices(processId: string, heard: (payload: string) => void, ended: () => void): Promise<NoticeSession>;
  /** Publishes by another connection, which is closed then. */
  publishOnce(processId: string, payload: string): Promise<void>;
}

/** @param connect opens a pool of one connection for a process, which calls `ended` when that one has ended */
export function postgresNotices(connect: (processId: string, ended: () => void) => Knex): NoticeServer {
  return {
    openNotices: async (processId, heard, ended) => {
      const pool = connect(processId, ended);
      let connection: PostgresConnection | undefined;
      const close = async (): Promise<void> => {
        if (connection !== undefined) {
          resetConnection(connection);
          await pool.client.releaseConnection(connection);
        }
        await pool.destroy();
      };
      try {
        connection = (await pool.client.acquireConnection()) as PostgresConnection;
        connection.on('notification', ({ channel, payload }) => {
          if (channel === CHANNEL) heard(payload ?? '');
        });
        await run(pool, connection, `LISTEN ${CHANNEL}`);
      } catch (error) {
        await close();
        throw error;
      }
      const listening = connection;
      return { publish: (payloads) => publish(pool, listening, payloads), close };
    },
    publishOnce: async (processId, payload) => {
      const pool = connect(processId, () => undefined);
      try {
        await publish(pool, undefined, [payload]);
      } finally {
        await pool.destroy();
      }
    },
  };
}

function publish(pool: Knex, connection: PostgresConnection | undefined, payloads: readonly string[]): Promise<void> {
  const each = payloads.map(() => 'pg_notify(?, ?)').join(', ');
  return run(
    pool,
    connection,
    `SELECT ${each}`,
    payloads.flatMap((payload) => [CHANNEL, payload]),
  );
}

async function run(
  pool: Knex,
  connection: PostgresConnection | undefined,
  sql: string,
  bindings: readonly string[] = [],
): Promise<void> {
  const statement = pool.raw(sql, [...bindings]).options({ query_timeout: ANSWER_DEADLINE_MS });
  await (connection === undefined ? statement : statement.connection(connection));
}
