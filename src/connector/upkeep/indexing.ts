import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../kernel/log.ts';
import type { CaptureStore } from '../ports/capture.ts';
import type { Store } from '../ports/store.ts';
import type { IndexBacklog } from '../ports/text-index.ts';

/** How often the program looks for entries to index. */
const INTERVAL_MS = 1_000;
/** Between two steps other work can run. */
const STEP_PAUSE_MS = 5;
/** Fewer entries of a channel are not worth a transaction; they are searched without the index. */
const WORTHWHILE_ENTRIES = 64;

export interface IndexingOptions {
  store: Pick<Store, 'textIndex'>;
  log: Logger;
}

/** Adds captured entries to the search index, and entries that are older than the index. */
export class Indexing {
  readonly #options: IndexingOptions;
  /** By account and channel; there are never more than granted channels. */
  readonly #waiting = new Map<string, IndexBacklog>();
  #isCounted = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #pass: Promise<void> | undefined;

  constructor(options: IndexingOptions) {
    this.#options = options;
  }

  /** How many entries wait to be indexed; NaN until those from earlier runs are counted. */
  get backlog(): number {
    if (!this.#isCounted) return Number.NaN;
    return this.#worthwhile().reduce((sum, { entryCount }) => sum + entryCount, 0);
  }

  /** Wraps the capture store, and notes which entries it stores. */
  noting(capture: CaptureStore): CaptureStore {
    return {
      ...capture,
      ingest: async (accountId, network, batch) => {
        const ingested = await capture.ingest(accountId, network, batch);
        for (const { channel } of ingested.entries) this.#note({ accountId, channel, entryCount: 1 });
        return ingested;
      },
    };
  }

  start(): void {
    this.#pass = this.#run();
  }

  /** Resolves when the step under way is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#pass;
  }

  async #run(): Promise<void> {
    try {
      if (!this.#isCounted) {
        for (const backlog of await this.#options.store.textIndex.backlog()) this.#note(backlog);
        this.#isCounted = true;
      }
      for (const backlog of this.#worthwhile()) await this.#extend(backlog);
    } catch (error) {
      this.#options.log.error({ err: error }, 'the search index could not be extended; trying again');
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => this.start(), INTERVAL_MS).unref();
  }

  async #extend(backlog: IndexBacklog): Promise<void> {
    while (!this.#isClosed && backlog.entryCount >= WORTHWHILE_ENTRIES) {
      const count = await this.#options.store.textIndex.extend(backlog.accountId, backlog.channel);
      backlog.entryCount = count === 0 ? 0 : backlog.entryCount - count;
      await delay(STEP_PAUSE_MS);
    }
  }

  #worthwhile(): IndexBacklog[] {
    return [...this.#waiting.values()].filter(({ entryCount }) => entryCount >= WORTHWHILE_ENTRIES);
  }

  #note({ accountId, channel, entryCount }: IndexBacklog): void {
    const key = `${accountId} ${channel}`;
    const known = this.#waiting.get(key);
    if (known === undefined) this.#waiting.set(key, { accountId, channel, entryCount });
    else known.entryCount += entryCount;
  }
}
