import { startSpreadMs } from '../domain/backoff.ts';
import { type Processes, shareOf } from '../domain/share.ts';
import { chance } from '../random.ts';
import { Semaphore } from '../semaphore.ts';

/** Most accounts that attach in the background at once: the bouncer spends 50 ms of a processor on each password. */
const ATTACHES_AT_ONCE = 20;

/** An account that has failed to attach, and waits before its next attempt. */
export interface WaitingAccount {
  /** Tries after this time, unless its own wait ends before. */
  trySooner(waitMs: number): void;
}

/**
 * The attempts of a process's accounts to attach in the background. It limits how many run at once, and shares what one
 * of them has found: while the bouncer or the database is away, each account waits by itself, up to 30 s. Once one has
 * attached, both are back, so the others try, too, spread out as after a start.
 */
export class Attaches {
  readonly #places: Semaphore;
  /** Never more than accounts. */
  readonly #waiting = new Set<WaitingAccount>();

  /** @param processes number of processes that share the limit */
  constructor(processes: Processes = () => 1) {
    this.#places = new Semaphore(() => shareOf(ATTACHES_AT_ONCE, processes));
  }

  /** Settles like the task, which begins when a place is free. */
  use<T>(task: () => Promise<T>): Promise<T> {
    return this.#places.use(task);
  }

  waits(account: WaitingAccount): void {
    this.#waiting.add(account);
  }

  waitsNoMore(account: WaitingAccount): void {
    this.#waiting.delete(account);
  }

  /** Handles an account that has attached. */
  succeeded(): void {
    const spreadMs = startSpreadMs(this.#waiting.size);
    for (const account of this.#waiting) account.trySooner(chance() * spreadMs);
  }
}
