import type { Clock } from '../../kernel/clock.ts';
import { HISTORY_LIMIT_MAX } from '../domain/limits.ts';
import type { CallRecord, CallRecords } from '../ports/call-records.ts';

/**
 * The last calls of all clients, in memory only: as many as an owner can request at once; they are lost when the
 * program ends.
 */
export class CallLog implements CallRecords {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #records: CallRecord[] = [];

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  add(record: Omit<CallRecord, 'at'>): void {
    this.#records.push({ at: this.#clock.now(), ...record });
    if (this.#records.length > HISTORY_LIMIT_MAX) this.#records.shift();
  }

  /** @param since milliseconds since 1970 */
  newestFirst(limit: number, since = 0): CallRecord[] {
    return this.#records
      .filter(({ at }) => at >= since)
      .slice(-limit)
      .reverse();
  }
}
