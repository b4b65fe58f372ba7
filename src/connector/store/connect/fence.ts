import type { PostgresConnection } from 'knex/lib/dialects/postgres/index.js';
import type { Claim, Entry, Fence } from '../../ports/claims.ts';
import { SLOT } from '../hold/process-rows.ts';
import { SHARE_SLOT, shareProcessOf } from '../hold/slot-lock.ts';

interface Statement {
  sql: string;
}

type Run<S extends Statement> = (statement: S) => Promise<unknown>;

const BEGIN = 'BEGIN;';

/** What a transaction checks before it writes. */
export interface FenceCheck {
  /**
   * Statements at the beginning of each transaction. Lock order: the advisory lock first, against processes that take
   * what this one has. Then the row, as a statement of its own, which sees what was committed during the wait. The lock
   * lasts until the transaction ends, so nothing can be taken in it. All in one message: the fence costs no round trip.
   */
  begin: string;
  /** Whether the row proves the right to write. */
  holds(row: Record<string, unknown> | undefined): boolean;
  /** Called when it does not. */
  refused(): void;
  /** The reason, for people. */
  why: string;
}

/** Returns the check for a claim that has one. */
export function checkOf({ fence, entry }: Claim): FenceCheck | undefined {
  if (fence !== undefined) return slotCheck(fence);
  return entry === undefined ? undefined : entryCheck(entry);
}

const slotCheck = (fence: Fence): FenceCheck => ({
  begin: `${BEGIN} ${SHARE_SLOT}; SELECT process_id, fence FROM slots WHERE slot = ${SLOT}`,
  holds: (row) => row?.['process_id'] === fence.processId && row['fence'] === fence.fence,
  refused: () => undefined,
  why: 'another process has it now',
});

function entryCheck({ processId, since, refused }: Entry): FenceCheck {
  const id = `'${processId.replaceAll("'", "''")}'`;
  return {
    begin: `${BEGIN} ${shareProcessOf(id)}; SELECT reads_since FROM processes WHERE process_id = ${id}`,
    holds: (row) => row !== undefined && row['reads_since'] !== null && row['reads_since'] === since(),
    refused,
    why: 'this process was silent for so long that it counts as dead',
  };
}

const readsOnly = ({ sql }: Statement): boolean => /^\s*(select|show|explain)\b/i.test(sql);
const ends = ({ sql }: Statement): boolean => /^(COMMIT|ROLLBACK)\s*;?$/i.test(sql.trim());

/** Connections on which a transaction is open. */
const inTransaction = new WeakSet<PostgresConnection>();

/** This process may not write any more: the statement was not run. */
class HoldLost extends Error {
  constructor(why: string) {
    super(`The claim on the database is lost: ${why}, and nothing was written`);
  }
}

/**
 * Runs a statement of a process that acts by the slot or beside it. Writes run in a transaction that has first checked
 * that it still may.
 * @throws Error when it may not any more; the connection is not used again
 */
export async function runFenced<S extends Statement>(
  { connection, check }: { connection: PostgresConnection; check: FenceCheck },
  statement: S,
  run: Run<S | Statement>,
): Promise<unknown> {
  try {
    if (statement.sql.startsWith('BEGIN')) {
      await begin(check, run);
      inTransaction.add(connection);
      return statement;
    }
    if (inTransaction.has(connection)) {
      if (ends(statement)) inTransaction.delete(connection);
      return await run(statement);
    }
    if (readsOnly(statement)) return await run(statement);
    await begin(check, run);
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

async function begin(check: FenceCheck, run: Run<Statement>): Promise<void> {
  const { response } = (await run({ sql: check.begin })) as { response: { rows: Record<string, unknown>[] }[] };
  const [row] = response.at(-1)?.rows ?? [];
  if (check.holds(row)) return;
  check.refused();
  throw new HoldLost(check.why);
}
