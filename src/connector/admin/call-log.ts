import type { Clock } from '../../kernel/clock.ts';
import { HISTORY_LIMIT_MAX } from '../domain/limits.ts';
import type { CallRecord, CallRecords } from '../ports/call-records.ts';
import type { CallStore } from '../ports/call-store.ts';
import type { Freshness } from '../ports/invalidations.ts';

export interface CallLogParts {
  calls: CallStore;
  clock: Pick<Clock, 'now'>;
  /** Whether other processes serve on the same database. */
  freshness: Pick<Freshness, 'alone'>;
}

/**
 * The newest calls of all clients: as many as an owner can request at once. They are in the memory of the process that
 * answered them. While other processes serve, too, it stores them once a second, all together, so that owners see them
 * at every process. A process that is alone stores none, and its calls are lost when it ends.
 */
export class CallLog implements CallRecords {
  readonly #parts: CallLogParts;
  readonly #records: CallRecord[] = [];
  /** Number of the newest records that are not stored. */
  #unstored = 0;

  constructor(parts: CallLogParts) {
    this.#parts = parts;
  }

  add(record: Omit<CallRecord, 'at'>): void {
    this.#records.push({ at: this.#parts.clock.now(), ...record });
    if (this.#records.length > HISTORY_LIMIT_MAX) this.#records.shift();
    this.#unstored = Math.min(this.#unstored + 1, this.#records.length);
  }

  /** @param since milliseconds since 1970 */
  async newestFirst(limit: number, since = 0): Promise<CallRecord[]> {
    const own = this.#records.filter(({ at }) => at >= since).slice(-limit);
    const others = await this.#parts.calls.newestOfOthers(limit, since);
    // Stable: calls of the same millisecond keep the order in which they were answered.
    return [...own.reverse(), ...others].sort((one, other) => other.at - one.at).slice(0, limit);
  }

  /** Stores the calls that other processes do not know yet, while there are any. */
  async store(): Promise<void> {
    if (this.#unstored === 0 || this.#parts.freshness.alone() !== undefined) return;
    const count = this.#unstored;
    this.#unstored = 0;
    try {
      await this.#parts.calls.add(this.#records.slice(-count));
    } catch (error) {
      this.#unstored = Math.min(this.#unstored + count, this.#records.length);
      throw error;
    }
  }
}
