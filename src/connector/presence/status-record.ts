import type { PresenceStatus } from '../ports/presence.ts';
import type { SendingState } from '../ports/presence-store.ts';
import type { Store } from '../ports/store.ts';

export interface StatusRecordOptions {
  accountId: string;
  presences: Store['presences'];
  /** Returns the present status. */
  status: () => PresenceStatus | undefined;
  /** Returns the facts by which any process accepts a send. */
  sending: () => SendingState | undefined;
  /** Whether the absence of a session is not decided yet: the record of the process before stays until it is. */
  isUndecided: () => boolean;
  /** Runs a task in the account's turn and retries it until it succeeds. */
  enqueue: (task: () => Promise<void>) => void;
}

/** Stores the status of the session that this process holds, for requests to other processes. */
export class StatusRecord {
  readonly #options: StatusRecordOptions;
  /** Last stored status; undefined while that is uncertain. */
  #written: string | undefined;
  #isPlanned = false;
  #isKnown = false;

  constructor(options: StatusRecordOptions) {
    this.#options = options;
  }

  /** Whether this process has stored a status. Before, the row is that of the process before. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Plans to store the status after a change. Concurrent changes share one write. */
  changed(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#options.enqueue(() => {
      // Changes during this write plan another one.
      this.#isPlanned = false;
      return this.#write();
    });
  }

  /**
   * Stores the present status now; call it in the account's turn. If it fails, it is done later.
   */
  async settled(): Promise<void> {
    // It is stored later.
    await this.#write().catch(() => this.changed());
  }

  async #write(): Promise<void> {
    const { accountId, presences } = this.#options;
    const [status, sending] = [this.#options.status(), this.#options.sending()];
    if (status === undefined && this.#options.isUndecided()) return;
    const text = JSON.stringify([status ?? null, sending ?? null]);
    if (text === this.#written) return;
    this.#written = undefined;
    if (status === undefined) await presences.ended(accountId);
    else await presences.write(accountId, status, sending);
    this.#written = text;
    this.#isKnown = true;
  }
}
