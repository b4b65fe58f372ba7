import { vi } from 'vitest';

/** Turns of the event loop without any work, before time goes on: a double answers in the next turn. */
const QUIET_TURNS = 3;
/**
 * Timers that are due within this many milliseconds go off at the same moment, so that their work can be done side by
 * side.
 */
const MOMENT_MS = 10;
const POLL_MS = 100;
/**
 * Real milliseconds between two runs of the due timers while real work is awaited, which may wait for such a timer
 * itself.
 */
const DUE_POLL_MS = 20;
const realTimeout = setTimeout;
/** Deadline of a condition in virtual milliseconds: far more than any work takes that ends. */
const DEADLINE_MS = 10 * 60 * 1_000;

/**
 * Time that passes only while no work is under way, and then at once: all timers in this process go off one after
 * another. Work that takes real time, such as a statement of a database, must be done `during` this.
 */
export class VirtualTime implements Disposable {
  #underWay = 0;
  #rest = Promise.withResolvers<void>();

  constructor() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  }

  /** Milliseconds since the beginning of this time. */
  now(): number {
    return performance.now();
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** Does what takes real time; until it is done, no time passes. */
  async during<T>(work: PromiseLike<T>): Promise<T> {
    if (this.#underWay === 0) this.#rest = Promise.withResolvers<void>();
    this.#underWay += 1;
    try {
      return await work;
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#rest.resolve();
    }
  }

  /** @throws Error when it does not come true */
  async until(what: string, isTrue: () => Promise<boolean> | boolean): Promise<void> {
    const deadline = this.now() + DEADLINE_MS;
    while (!(await isTrue())) {
      if (this.now() >= deadline) throw new Error(`after ${DEADLINE_MS / 1_000} s this is still not true: ${what}`);
      await this.sleep(POLL_MS);
    }
  }

  /** Lets time pass until the work is done. @throws Error when no timer is left that could bring it to its end */
  async pass<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    for (;;) {
      await this.#allRest();
      if (isDone) return done;
      if (vi.getTimerCount() === 0) throw new Error('nothing will ever happen again');
      vi.advanceTimersToNextTimer();
      vi.advanceTimersByTime(MOMENT_MS);
    }
  }

  [Symbol.dispose](): void {
    vi.useRealTimers();
  }

  async #workDone(): Promise<void> {
    while (this.#underWay > 0) {
      const soon = new Promise<void>((resolve) => realTimeout(resolve, DUE_POLL_MS));
      await Promise.race([this.#rest.promise, soon]);
      // A pool of connections defers by 0 ms what it does after a connection has become useless.
      if (this.#underWay > 0) vi.advanceTimersByTime(0);
    }
  }

  async #allRest(): Promise<void> {
    for (let quietTurns = 0; quietTurns < QUIET_TURNS; quietTurns += 1) {
      await turn();
      if (this.#underWay === 0) continue;
      await this.#workDone();
      quietTurns = 0;
    }
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
