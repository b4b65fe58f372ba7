import type { OpenStore } from './open-store.ts';

/** Returns the steps of the query plan of each reading statement that `work` makes. */
export async function plansOf(
  { database, readers }: Pick<OpenStore, 'database' | 'readers'>,
  work: () => Promise<unknown>,
): Promise<string[][]> {
  const asked: { sql: string; bindings: readonly unknown[] }[] = [];
  const note = ({ sql, bindings }: { sql: string; bindings?: readonly unknown[] }): void => {
    if (sql.startsWith('select')) asked.push({ sql: sql.replaceAll(/\$\d+/g, '?'), bindings: [...(bindings ?? [])] });
  };
  const connections = new Set([database, readers]);
  for (const each of connections) each.on('query', note);
  await work();
  for (const each of connections) each.off('query', note);
  const isPostgres = database.client.driverName === 'pg';
  const plans: string[][] = [];
  for (const { sql, bindings } of asked) {
    const plan = await database.raw(`EXPLAIN ${isPostgres ? '' : 'QUERY PLAN '}${sql}`, [...bindings] as string[]);
    const steps: Record<string, unknown>[] = isPostgres ? plan.rows : plan;
    plans.push(steps.map((step) => String(step['QUERY PLAN'] ?? step['detail'])));
  }
  return plans;
}
