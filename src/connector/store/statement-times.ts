import type { Database } from './database.ts';

export type StatementKind = 'select' | 'insert' | 'update' | 'delete' | 'other';

/** What knex tells of a statement; a transaction's BEGIN and COMMIT have no method. */
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

/** Tells how long each statement took on its connection; the time it waited for one is not in it. */
export function timeStatements(database: Database, tell: (kind: StatementKind, seconds: number) => void): void {
  // A statement is under way until it has answered or failed, so there are never more than connections.
  const startedAt = new Map<string, number>();
  const end = ({ __knexQueryUid: id, method = '' }: Statement): void => {
    const started = startedAt.get(id);
    if (started === undefined) return;
    startedAt.delete(id);
    tell(KINDS[method] ?? 'other', (performance.now() - started) / SECOND_MS);
  };
  database.on('query', ({ __knexQueryUid: id }: Statement) => startedAt.set(id, performance.now()));
  database.on('query-response', (_response: unknown, statement: Statement) => end(statement));
  database.on('query-error', (_error: unknown, statement: Statement) => end(statement));
}
