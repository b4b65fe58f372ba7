import type { Database } from './database.ts';

export type StatementKind = 'select' | 'insert' | 'update' | 'delete' | 'other';

/** Knex's report of a statement; BEGIN and COMMIT have no method. */
interface Statement {
  __knexQueryUid: string;
  method?: string;
}

const SECOND_MS = 1_000;

const KINDS: Record<string, StatementKind> = {
  select: 'select',
  first: 'select',
  insert: 'insert',
  update: 'update',
  del: 'delete',
};

/** Reports how long each statement took on its connection, without the wait for a connection. */
export function timeStatements(database: Database, report: (kind: StatementKind, seconds: number) => void): void {
  // Bounded by the number of connections: a statement leaves the map when it has answered or failed.
  const startedAt = new Map<string, number>();
  const end = ({ __knexQueryUid: id, method = '' }: Statement): void => {
    const started = startedAt.get(id);
    if (started === undefined) return;
    startedAt.delete(id);
    report(KINDS[method] ?? 'other', (performance.now() - started) / SECOND_MS);
  };
  database.on('query', ({ __knexQueryUid: id }: Statement) => startedAt.set(id, performance.now()));
  database.on('query-response', (_response: unknown, statement: Statement) => end(statement));
  database.on('query-error', (_error: unknown, statement: Statement) => end(statement));
}
