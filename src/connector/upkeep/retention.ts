import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { DAY_MS, PRUNE_INTERVAL_MS } from '../domain/limits.ts';
import type { Store } from '../ports/store.ts';

/** Entries removed in one transaction: few, so that others need not wait long. */
const PRUNE_STEP_ROWS = 200;
/** Between two transactions other work can run. */
const STEP_PAUSE_MS = 20;

export interface RetentionOptions {
  store: Pick<Store, 'accounts' | 'retention'>;
  clock: Clock;
  log: Logger;
  /** Asked at each pass, because a reload may change it. */
  keep: () => { days: number; entriesPerAccount: number };
}

/** Removes entries that are older than the owner allows, and the oldest ones above the allowed number. */
export class Retention {
  readonly #options: RetentionOptions;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Prunes now and from then on at each interval. */
  start(): void {
    void this.#pass();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** One pass over one account. @spec connector#limits retention holds for unacknowledged data too */
  async prune(accountId: string): Promise<void> {
    const { store, clock } = this.#options;
    const keep = this.#options.keep();
    const before = clock.now() - keep.days * DAY_MS;
    await this.#inSteps(() => store.retention.pruneOlder(accountId, before, PRUNE_STEP_ROWS));
    await this.#inSteps(() => store.retention.pruneExcess(accountId, keep.entriesPerAccount, PRUNE_STEP_ROWS));
  }

  async #inSteps(step: () => Promise<number>): Promise<void> {
    while (!this.#isClosed && (await step()) > 0) await delay(STEP_PAUSE_MS);
  }

  async #pass(): Promise<void> {
    try {
      for (const { accountId } of await this.#options.store.accounts.list()) await this.prune(accountId);
    } catch (error) {
      this.#options.log.error({ err: error }, 'old entries could not be removed; trying again at the next interval');
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#pass(), PRUNE_INTERVAL_MS).unref();
  }
}
