import { setTimeout as delay } from 'node:timers/promises';
import { ACCEPT_WAIT_MAX_MS, TURN_MAX_MS } from '../domain/limits.ts';
import { backlogFull } from '../errors.ts';

/** The wait of a send that can't be accepted yet. */
export interface Hold {
  over: Promise<void>;
}

/**
 * Accepts a send only when its last line can be written in time, so that pacing alone never makes an accepted send too
 * late. A send that comes a little early waits, in order.
 */
export class SendAdmission {
  /** Milliseconds until the last of this many more lines can be written. */
  readonly #turnOf: (lineCount: number) => number;
  #heldLines = 0;

  constructor(turnOf: (lineCount: number) => number) {
    this.#turnOf = turnOf;
  }

  /**
   * Undefined when a send of this many lines may be accepted at once; call in the account's turn.
   * @param ahead how many accepted lines wait to be written
   * @throws RetryLater backlog_full
   */
  admit(lineCount: number, ahead: number): Hold | undefined {
    const waitMs = this.#turnOf(ahead + this.#heldLines + lineCount) - TURN_MAX_MS;
    if (waitMs <= 0) return undefined;
    if (waitMs > ACCEPT_WAIT_MAX_MS) throw backlogFull(waitMs - ACCEPT_WAIT_MAX_MS);
    return { over: this.#hold(lineCount, waitMs) };
  }

  async #hold(lineCount: number, waitMs: number): Promise<void> {
    this.#heldLines += lineCount;
    await delay(waitMs);
    this.#heldLines -= lineCount;
  }
}
