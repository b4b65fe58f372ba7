declare module 'knex/lib/dialects/sqlite3/index.js' {
  import { Knex } from 'knex';
  export default class Client extends Knex.Client {
    driver: unknown;
    _driver(): unknown;
    initializeDriver(): void;
    acquireConnection(): Promise<unknown>;
    releaseConnection(connection: unknown): Promise<unknown>;
    _query(connection: unknown, statement: { sql: string; method?: string }): Promise<unknown>;
  }
}

declare module 'knex/lib/dialects/postgres/index.js' {
  import { Knex } from 'knex';
  /** A marked connection is closed instead of being used again. */
  export interface PostgresConnection {
    __knex__disposed?: unknown;
    /** The driver's connection, with its socket. */
    connection?: { stream?: import('node:net').Socket };
    /** Number of the session, by which it can be cancelled. */
    processID: number | null;
    once(event: 'end', ended: () => void): unknown;
    on(event: 'notification', heard: (notification: { channel: string; payload?: string }) => void): unknown;
    query(statement: { text: string; query_timeout: number }): Promise<unknown>;
  }
  export default class Client extends Knex.Client {
    acquireConnection(): Promise<unknown>;
    releaseConnection(connection: unknown): Promise<unknown>;
    _query(connection: PostgresConnection, statement: unknown): Promise<unknown>;
  }
}
