import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../kernel/log.ts';
import type { OpenDatabase } from './store/database.ts';
import type { SharingSeen } from './store/hold/membership.ts';
import { seeSharing } from './store/hold/who-is-there.ts';

/**
 * Time until a standby serves: it polls the database every two seconds, and attaches a hundred accounts within two
 * more.
 */
const SUCCESSOR_MS = 4_000;
/** Time that the end of the program itself takes. */
const END_MS = 500;
/** Deadline of a look at the database; a hanging one is not waited for. */
const LOOK_DEADLINE_MS = 1_000;

/**
 * The end of a process whose accounts another one takes: a standby, or one that serves beside it. Its connections to the bouncer stay open and silent until the standby
 * has attached, so that no account is without a session in between. They write no lines: the process has given back the
 * database by then, and with it the permit.
 */
export class HandOver {
  readonly #log: Logger;
  readonly #endsAtMs: () => number;
  #isUnderWay = false;

  /** @param endsAtMs time at which the program is killed, by `performance.now()` */
  constructor(log: Logger, endsAtMs: () => number) {
    this.#log = log;
    this.#endsAtMs = endsAtMs;
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Begins the hand-over if a process waits. It is called before the sessions are closed. */
  async begin(opened: Pick<OpenDatabase, 'database' | 'keeper'>): Promise<void> {
    const { waiting, unfit } = await this.look(opened);
    const [next] = waiting;
    if (unfit.length > 0) {
      this.#log.warn({ processes: unfit }, 'of the processes that wait, these can’t take over: their clocks are wrong');
    }
    if (next === undefined) return;
    this.#isUnderWay = true;
    this.#log.info({ next }, 'hands over to the process that waits');
  }

  /** Begins the hand-over to the process that has the database, which takes the accounts of this one. */
  beginBeside(holder: string | undefined): void {
    this.#isUnderWay = true;
    this.#log.info({ next: holder }, 'hands its accounts over to the process that has the database');
  }

  /** Whether another process waits for the end of this one. */
  async isAwaited(opened: Pick<OpenDatabase, 'database' | 'keeper'>): Promise<boolean> {
    return (await this.look(opened)).waiting.length > 0;
  }

  /** The processes that wait for the end of this one. */
  async look({
    database,
    keeper,
  }: Pick<OpenDatabase, 'database' | 'keeper'>): Promise<Pick<SharingSeen, 'waiting' | 'unfit'>> {
    const none = { waiting: [], unfit: [] };
    if (keeper === undefined) return none;
    // Either may hang: statements keep all connections of the pool busy, or the only one of the heartbeats is cut off.
    const seen = Promise.any([keeper.look(), seeSharing(database)]).catch(() => none);
    return Promise.race([seen, delay(LOOK_DEADLINE_MS, none, { ref: false })]);
  }

  /** Waits until the standby has attached. It is called when the database has been given back. */
  async finish(): Promise<void> {
    const leftMs = this.#endsAtMs() - END_MS - performance.now();
    if (this.#isUnderWay && leftMs > 0) await delay(Math.min(SUCCESSOR_MS, leftMs));
  }
}
