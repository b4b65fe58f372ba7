import { ACCEPT_WAIT_MAX_MS, TURN_MAX_MS, WAITING_LINES_MAX } from '../domain/limits.ts';
import { accountBusy, backlogFull } from '../errors.ts';
import type { Hold, LinesToAdmit } from '../ports/message-store.ts';
import { sleep } from './sleep.ts';

/**
 * Accepts a send only when its last line can be written in time, so that pacing alone never makes an accepted send too
 * late. A send that is a little too early waits, in order.
 */
export class SendAdmission {
  #heldLines = 0;

  /**
   * Returns undefined if these lines may be accepted at once, otherwise their wait.
   * @throws RetryLater backlog_full, account_busy
   */
  admit(lines: LinesToAdmit): Hold | undefined {
    return this.#admit(lines, this.#heldLines);
  }

  /** Decides again about lines that have waited: those that still wait came later. @throws RetryLater */
  admitAgain(lines: LinesToAdmit): Hold | undefined {
    return this.#admit(lines, 0);
  }

  #admit({ lineCount, waitingCount, turnOf }: LinesToAdmit, heldLines: number): Hold | undefined {
    if (waitingCount + heldLines + lineCount > WAITING_LINES_MAX) throw accountBusy();
    const waitMs = turnOf(heldLines + lineCount) - TURN_MAX_MS;
    if (waitMs <= 0) return undefined;
    if (waitMs > ACCEPT_WAIT_MAX_MS) throw backlogFull(waitMs - ACCEPT_WAIT_MAX_MS);
    return { over: this.#hold(lineCount, waitMs), waitMs };
  }

  async #hold(lineCount: number, waitMs: number): Promise<void> {
    this.#heldLines += lineCount;
    await sleep(waitMs);
    this.#heldLines -= lineCount;
  }
}
