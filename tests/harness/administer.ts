import knex from 'knex';

/** Address of a PostgreSQL, and its superuser. */
export interface PostgresAddress {
  host: string;
  port: number;
  superuser: string;
}

/** Runs a statement that is about the server's databases, and returns its rows. */
export async function administer({ host, port, superuser }: PostgresAddress, sql: string): Promise<unknown[]> {
  const server = knex({ client: 'pg', connection: { host, port, user: superuser, database: 'postgres' } });
  try {
    return ((await server.raw(sql)) as { rows: unknown[] }).rows;
  } finally {
    await server.destroy();
  }
}
