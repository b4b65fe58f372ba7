import type { PresenceStatus } from '../ports/presence.ts';
import type { Store } from '../ports/store.ts';

export interface StatusRecordOptions {
  accountId: string;
  presences: Store['presences'];
  /** What there is to write down at the moment. */
  status: () => PresenceStatus | undefined;
  /** Runs a task in the account's turn until it succeeds. */
  tell: (task: () => Promise<void>) => void;
}

/** Writes down the status of the session that this process holds, for whoever asks another process about it. */
export class StatusRecord {
  readonly #options: StatusRecordOptions;
  /** What was written last; undefined while that is not certain. */
  #written: string | undefined;
  #isPlanned = false;

  constructor(options: StatusRecordOptions) {
    this.#options = options;
  }

  /** Something has changed. Many changes at once are one writing. */
  changed(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#options.tell(() => {
      // What changes while this is written is written next.
      this.#isPlanned = false;
      return this.#write();
    });
  }

  async #write(): Promise<void> {
    const { accountId, presences } = this.#options;
    const status = this.#options.status();
    const text = JSON.stringify(status ?? null);
    if (text === this.#written) return;
    this.#written = undefined;
    if (status === undefined) await presences.ended(accountId);
    else await presences.write(accountId, status);
    this.#written = text;
  }
}
