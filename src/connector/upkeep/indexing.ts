import type { Logger } from '../../kernel/log.ts';
import type { IndexBacklog, Store } from '../ports/store.ts';
import { pause, type Repeated, repeat } from './repeat.ts';

/** How often the program looks for entries to index. */
const INTERVAL_MS = 1_000;
/** Between two steps other work can run. */
const STEP_PAUSE_MS = 5;
/** Fewer entries of a channel are not worth a transaction; they are searched without the index. */
const WORTHWHILE_ENTRIES = 64;

export interface IndexingOptions {
  store: Pick<Store, 'accounts' | 'textIndex'>;
  log: Logger;
}

/** Adds captured entries to the search index, and those from earlier runs of the program. */
export class Indexing {
  readonly #options: IndexingOptions;
  /** By account and channel; there are never more than granted channels. */
  readonly #waiting = new Map<string, IndexBacklog>();
  /** Accounts whose entries from earlier runs are not counted yet; undefined before the first pass. */
  #uncounted: string[] | undefined;

  constructor(options: IndexingOptions) {
    this.#options = options;
  }

  /** How many entries wait to be indexed; NaN until those from earlier runs are counted. */
  get backlog(): number {
    if (this.#uncounted?.length !== 0) return Number.NaN;
    return this.#worthwhile().reduce((sum, { entryCount }) => sum + entryCount, 0);
  }

  /** The same store, of which every entry that is stored counts as waiting. */
  counting(store: Store): Store {
    const { capture, messages } = store;
    return {
      ...store,
      capture: {
        ...capture,
        ingest: async (accountId, network, batch) => {
          const ingested = await capture.ingest(accountId, network, batch);
          for (const { channel } of ingested.entries) this.#count({ accountId, channel, entryCount: 1 });
          return ingested;
        },
      },
      messages: {
        ...messages,
        create: async (message) => {
          const created = await messages.create(message);
          this.#count({ accountId: message.accountId, channel: message.channel, entryCount: 1 });
          return created;
        },
      },
    };
  }

  start(): Repeated {
    const { log } = this.#options;
    return repeat({ failure: 'the search index could not be extended', everyMs: INTERVAL_MS, log }, async (signal) => {
      await this.#countEarlier(signal);
      await this.#extendAll(signal);
    });
  }

  /** An account leaves the list only when it is counted: after a failure the next pass goes on where this one stood. */
  async #countEarlier(signal: AbortSignal): Promise<void> {
    const { accounts, textIndex } = this.#options.store;
    this.#uncounted ??= (await accounts.list()).map(({ accountId }) => accountId);
    for (let accountId = this.#uncounted[0]; accountId !== undefined; accountId = this.#uncounted[0]) {
      if (signal.aborted) return;
      for (const backlog of await textIndex.backlog(accountId)) this.#count(backlog);
      this.#uncounted.shift();
      // Counting a thousand accounts takes minutes; what is captured meanwhile is indexed meanwhile.
      await this.#extendAll(signal);
    }
  }

  async #extendAll(signal: AbortSignal): Promise<void> {
    for (const backlog of this.#worthwhile()) await this.#extend(backlog, signal);
  }

  async #extend(backlog: IndexBacklog, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && backlog.entryCount >= WORTHWHILE_ENTRIES) {
      const count = await this.#options.store.textIndex.extend(backlog.accountId, backlog.channel);
      backlog.entryCount = count === 0 ? 0 : backlog.entryCount - count;
      await pause(STEP_PAUSE_MS, signal);
    }
  }

  #worthwhile(): IndexBacklog[] {
    return [...this.#waiting.values()].filter(({ entryCount }) => entryCount >= WORTHWHILE_ENTRIES);
  }

  #count({ accountId, channel, entryCount }: IndexBacklog): void {
    const key = `${accountId} ${channel}`;
    const known = this.#waiting.get(key);
    if (known === undefined) this.#waiting.set(key, { accountId, channel, entryCount });
    else known.entryCount += entryCount;
  }
}
