import { startSpreadMs } from '../domain/backoff.ts';
import { type Processes, shareOf } from '../domain/share.ts';
import { chance } from '../random.ts';
import { Semaphore } from '../semaphore.ts';

/** Most accounts that attach in the background at once: the bouncer spends 50 ms of a processor on each password. */
const ATTACHES_AT_ONCE = 20;

/** An account that has failed to attach, and waits before its next attempt. */
export interface WaitingAccount {
  /** Number of failures of all accounts when others last made it try sooner; undefined if they have not. */
  readonly triedSoonerAfter: number | undefined;
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
  /** Failures of all accounts. */
  #failures = 0;
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

  /** Number of failures of all accounts up to now. */
  get failures(): number {
    return this.#failures;
  }

  /** Handles an account that has failed to attach, and waits. @returns the number of this failure */
  waits(account: WaitingAccount): number {
    this.#waiting.add(account);
    this.#failures += 1;
    return this.#failures;
  }

  waitsNoMore(account: WaitingAccount): void {
    this.#waiting.delete(account);
  }

  /**
   * Handles an account that has attached. One that has tried sooner in vain is left alone, unless the account that attaches
   * has failed since, too: then the bouncer was away once more.
   * @param failure number of that account's last failure; 0 without one
   */
  succeeded(failure: number): void {
    const woken = [...this.#waiting].filter(
      ({ triedSoonerAfter }) => triedSoonerAfter === undefined || failure > triedSoonerAfter,
    );
    const spreadMs = startSpreadMs(woken.length);
    for (const account of woken) account.trySooner(chance() * spreadMs);
  }
}
