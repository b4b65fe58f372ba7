import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../kernel/log.ts';
import type { OpenDatabase } from './store/database.ts';
import { seeSharing } from './store/hold/who-is-there.ts';

/** A standby looks every two seconds whether the database is free, and attaches a hundred accounts within two more. */
const SUCCESSOR_MS = 4_000;
/** A database that does not answer is not waited for. */
const LOOK_DEADLINE_MS = 1_000;

/**
 * The end of a process for which a standby waits. Its connections to the bouncer stay open and silent until the standby has
 * attached, so that no account is without a session there in between. Nothing is written by them: the process has given back
 * the database by then, and with it the permit.
 */
export class HandOver {
  readonly #log: Logger;
  #isUnderWay = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Call it before the sessions are closed. */
  async begin({ database, keeper }: Pick<OpenDatabase, 'database' | 'keeper'>): Promise<void> {
    if (keeper === undefined) return;
    const seen = seeSharing(database).catch(() => undefined);
    const [next] = (await Promise.race([seen, delay(LOOK_DEADLINE_MS, undefined, { ref: false })]))?.waiting ?? [];
    if (next === undefined) return;
    this.#isUnderWay = true;
    this.#log.info({ next }, 'hands over to the process that waits');
  }

  /** Call it when the database has been given back. */
  async finish(): Promise<void> {
    if (this.#isUnderWay) await delay(SUCCESSOR_MS);
  }
}
