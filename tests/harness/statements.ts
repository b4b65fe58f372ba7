import type { OpenStore } from './open-store.ts';

/** Returns the statements that the database gets while `work` runs. */
export async function statementsOf(
  { database, readers }: Pick<OpenStore, 'database' | 'readers'>,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const statements: string[] = [];
  const note = ({ sql }: { sql: string }): void => void statements.push(sql);
  const connections = new Set([database, readers]);
  for (const each of connections) each.on('query', note);
  try {
    await work();
  } finally {
    for (const each of connections) each.off('query', note);
  }
  return statements;
}

/** The answer to one statement, which is on its way for as long as the test wants. */
export interface HeldAnswer {
  /** Resolves when the database has answered. */
  answered: Promise<void>;
  arrive(): void;
}

/** Holds back the answer to the next statement that has these words. */
export function holdAnswer({ readers }: Pick<OpenStore, 'readers'>, words: string): HeldAnswer {
  const answered = Promise.withResolvers<void>();
  const arrival = Promise.withResolvers<void>();
  const { client } = readers as { client: { _query: Query } };
  const query = client._query.bind(client);
  client._query = async (connection, statement) => {
    if (!statement.sql.includes(words)) return query(connection, statement);
    client._query = query;
    const answer = await query(connection, statement);
    answered.resolve();
    await arrival.promise;
    return answer;
  };
  return { answered: answered.promise, arrive: () => arrival.resolve() };
}

type Query = (connection: unknown, statement: { sql: string }) => Promise<unknown>;
