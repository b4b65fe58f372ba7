import type { Knex } from 'knex';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { reportSteps } from './claimed.ts';
import type { DatabaseServer } from './connect/server.ts';
import { limitStatements, limitTransaction } from './hold/slot-lock.ts';
import { isBreaking, migrate, pendingMigrations } from './migrate.ts';

/** Longest wait for a lock of a table: all others that use the table wait meanwhile. */
const LOCK_DEADLINE_MS = 1_000;
/** Longest time of a statement: it may lock a table, and those who use the table wait five seconds at most. */
const STATEMENT_DEADLINE_MS = 3_000;
/** Pauses between attempts: each may hold up others, and a backup keeps its locks for minutes. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Does the additive steps of the schema that are pending, beside processes that serve. It waits for locks so shortly that
 * those do not fail meanwhile, and tries again later. Without it a newer process would serve only when it gets the slot.
 */
export class AdditiveSteps {
  readonly #server: DatabaseServer;
  readonly #log: Logger;
  #pauseMs = FIRST_PAUSE_MS;
  #notBefore = Number.NEGATIVE_INFINITY;
  #hasReported = false;

  constructor(server: DatabaseServer, log: Logger) {
    this.#server = server;
    this.#log = log;
  }

  /**
   * Does them, if no other steps are pending, and the last attempt was long enough ago.
   * @throws Error when the database does not answer, or this program can't read it
   * @returns whether the schema is up to date
   */
  async areDone(): Promise<boolean> {
    const database = this.#server.connect('share');
    try {
      const pending = await pendingMigrations(database, { acceptsAdditive: true });
      if (pending.length === 0) return true;
      if (pending.some(isBreaking) || performance.now() < this.#notBefore) return false;
      const failure = await this.#add(database);
      if (failure === undefined) return true;
      // Another process may have been faster.
      if ((await pendingMigrations(database, { acceptsAdditive: true })).length === 0) return true;
      this.#postpone(failure);
      return false;
    } finally {
      await database.destroy();
    }
  }

  /** @returns why they could not be done */
  #add(database: Knex): Promise<Error | undefined> {
    const adding = database.transaction(async (transaction) => {
      await limitTransaction(transaction, LOCK_DEADLINE_MS);
      await limitStatements(transaction, STATEMENT_DEADLINE_MS);
      await migrate(transaction, (steps) => reportSteps(steps, this.#log));
    });
    return adding.then(
      () => undefined,
      (error: unknown) => new Error(messageOf(error)),
    );
  }

  #postpone(failure: Error): void {
    this.#notBefore = performance.now() + this.#pauseMs;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    if (this.#hasReported) return;
    this.#hasReported = true;
    this.#log.warn(
      { reason: failure.message },
      'the schema could not be brought up to date beside the other processes: it is tried again and again, and this process serves after it',
    );
  }
}
