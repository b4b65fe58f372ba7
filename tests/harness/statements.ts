import type { OpenStore } from './open-store.ts';

/** What is asked of the database while this runs. */
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
