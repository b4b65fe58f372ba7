import type { PostgresConnection } from 'knex/lib/dialects/postgres/index.js';
import type { Fence } from '../../ports/claims.ts';
import { SLOT } from '../hold/process-rows.ts';
import { SHARE_SLOT } from '../hold/slot-lock.ts';

interface Statement {
  sql: string;
}

type Run<S extends Statement> = (statement: S) => Promise<unknown>;

const BEGIN = 'BEGIN;';
/**
 * Lock order: the slot's lock first, against processes that take the slot. Then the row, as a statement of its own,
 * which sees what was committed during the wait. The lock lasts until the transaction ends, so the slot can't be taken
 * in it. All in one message: the fence costs no round trip.
 */
const FENCED_BEGIN = `${BEGIN} ${SHARE_SLOT}; SELECT process_id, fence FROM slots WHERE slot = ${SLOT}`;

const readsOnly = ({ sql }: Statement): boolean => /^\s*(select|show|explain)\b/i.test(sql);
const ends = ({ sql }: Statement): boolean => /^(COMMIT|ROLLBACK)\s*;?$/i.test(sql.trim());

/** Connections on which a transaction is open. */
const inTransaction = new WeakSet<PostgresConnection>();

/** The slot belongs to another process: the statement was not run. */
class HoldLost extends Error {
  constructor() {
    super('The claim on the database is lost: another process has it now, and nothing was written');
  }
}

/**
 * Runs a statement of the process that holds the slot. Writes run in a transaction that has first checked that it still
 * does.
 * @throws Error when another process has the slot; the connection is not used again
 */
export async function runFenced<S extends Statement>(
  { connection, fence }: { connection: PostgresConnection; fence: Fence },
  statement: S,
  run: Run<S | Statement>,
): Promise<unknown> {
  try {
    if (statement.sql.startsWith('BEGIN')) {
      await begin(fence, run);
      inTransaction.add(connection);
      return statement;
    }
    if (inTransaction.has(connection)) {
      if (ends(statement)) inTransaction.delete(connection);
      return await run(statement);
    }
    if (readsOnly(statement)) return await run(statement);
    await begin(fence, run);
  } catch (error) {
    if (!inTransaction.has(connection) && !readsOnly(statement)) connection.__knex__disposed = error;
    throw error;
  }
  try {
    const result = await run(statement);
    await run({ sql: 'COMMIT;' });
    return result;
  } catch (error) {
    await run({ sql: 'ROLLBACK;' }).catch((failure: unknown) => {
      connection.__knex__disposed = failure;
    });
    throw error;
  }
}

async function begin(fence: Fence, run: Run<Statement>): Promise<void> {
  const { response } = (await run({ sql: FENCED_BEGIN })) as { response: { rows: Record<string, unknown>[] }[] };
  const [row] = response.at(-1)?.rows ?? [];
  if (row?.['process_id'] !== fence.processId || row['fence'] !== fence.fence) throw new HoldLost();
}
