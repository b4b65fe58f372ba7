import type { OpenStore } from './open-store.ts';

/** A statement as knex reports it. */
interface Statement {
  __knexQueryUid?: string;
  /** Set within a transaction, from its BEGIN to its COMMIT. */
  __knexTxId?: string;
}

/** Counts how often the database is asked from now on; a transaction is one step. */
export function countSteps({ database, readers }: OpenStore): () => number {
  const steps = new Set<string>();
  let alone = 0;
  for (const counted of new Set([database, readers])) {
    counted.on('query', ({ __knexTxId: transaction }: Statement) => {
      if (transaction === undefined) alone += 1;
      else steps.add(transaction);
    });
  }
  return () => {
    const count = alone + steps.size;
    alone = 0;
    steps.clear();
    return count;
  };
}
