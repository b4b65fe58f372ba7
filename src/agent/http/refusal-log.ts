import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';

/** Shortest time between two log lines: a client that tries tokens must not fill the log. */
const LOG_INTERVAL_MS = 60_000;

/** Logs refused requests at most once a minute, with how many there were. */
export class RefusalLog {
  readonly #clock: Clock;
  readonly #log: Logger;
  #unlogged = 0;
  #nextLogMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  /** @param address of the newest refused client */
  note(address: string | undefined): void {
    this.#unlogged += 1;
    const now = this.#clock.monotonic();
    if (now < this.#nextLogMs) return;
    this.#log.warn({ address, count: this.#unlogged }, 'refused: missing or wrong token');
    this.#unlogged = 0;
    this.#nextLogMs = now + LOG_INTERVAL_MS;
  }
}
