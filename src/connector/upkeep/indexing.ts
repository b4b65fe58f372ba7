import type { Logger } from '../../kernel/log.ts';
import { pause } from '../pause.ts';
import type { Freshness } from '../ports/invalidations.ts';
import type { IndexBacklog, Store } from '../ports/store.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Interval at which the program looks for entries to index. */
const INTERVAL_MS = 1_000;
/** Pause between two steps, in which other work can run. */
const STEP_PAUSE_MS = 5;
/** Least entries of a channel that are worth a transaction; fewer are searched without the index. */
const WORTHWHILE_ENTRIES = 64;

export interface IndexingOptions {
  store: Pick<Store, 'accounts' | 'textIndex'>;
  log: Logger;
  /** Whether other processes store entries, too, at this moment: they are found by counting one account after the other. */
  freshness?: Pick<Freshness, 'alone'>;
  /** Whether also entries are indexed that this process has not stored itself; by default they are. */
  indexesAll?: boolean;
}

/** Adds captured entries to the search index, also those from earlier runs of the program. */
export class Indexing {
  readonly #options: IndexingOptions;
  /** Account and channel → backlog; there are never more than granted channels. */
  readonly #waiting = new Map<string, IndexBacklog>();
  /** Accounts whose entries from earlier runs are not counted yet; undefined before the first pass. */
  #uncounted: string[] | undefined;
  /** Accounts that are still counted in this round; only with other processes. */
  #round: string[] = [];

  constructor(options: IndexingOptions) {
    this.#options = options;
  }

  /** Number of entries that wait to be indexed; NaN until those from earlier runs are counted. */
  get backlog(): number {
    if (this.#uncounted?.length !== 0) return Number.NaN;
    return this.#worthwhile().reduce((sum, { entryCount }) => sum + entryCount, 0);
  }

  /** Wraps a store so that each stored entry is counted as waiting. */
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
        accept: async (send, admit) => {
          const accepted = await messages.accept(send, admit);
          const { accountId, channel } = send;
          if ('message' in accepted && accepted.lineCount > 0) this.#count({ accountId, channel, entryCount: 1 });
          return accepted;
        },
      },
    };
  }

  start(): Repeated {
    const { log, freshness, indexesAll = true } = this.#options;
    return repeat({ failure: 'the search index could not be extended', everyMs: INTERVAL_MS, log }, async (signal) => {
      if (indexesAll) await this.#countEarlier(signal);
      if (indexesAll && freshness !== undefined && freshness.alone() === undefined) await this.#countNext();
      await this.#extendAll(signal);
    });
  }

  /**
   * Counts entries from earlier runs. An account leaves the list only when it is counted: after a failure the next pass
   * continues there.
   */
  async #countEarlier(signal: AbortSignal): Promise<void> {
    const { accounts, textIndex } = this.#options.store;
    this.#uncounted ??= (await accounts.list()).map(({ accountId }) => accountId);
    for (let accountId = this.#uncounted[0]; accountId !== undefined; accountId = this.#uncounted[0]) {
      if (signal.aborted) return;
      for (const backlog of await textIndex.backlog(accountId)) this.#count(backlog);
      this.#uncounted.shift();
      // Counting a thousand accounts takes minutes; entries captured meanwhile are indexed meanwhile.
      await this.#extendAll(signal);
    }
  }

  /** Counts one account again, which takes few statements: in each pass the next one. */
  async #countNext(): Promise<void> {
    const { accounts, textIndex } = this.#options.store;
    if (this.#round.length === 0) this.#round = (await accounts.list()).map(({ accountId }) => accountId);
    const accountId = this.#round.shift();
    if (accountId === undefined) return;
    for (const counted of await textIndex.backlog(accountId)) {
      const known = this.#waiting.get(keyOf(counted));
      // Entries that this process has stored meanwhile are counted already.
      if (known === undefined) this.#count(counted);
      else known.entryCount = Math.max(known.entryCount, counted.entryCount);
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
    const key = keyOf({ accountId, channel });
    const known = this.#waiting.get(key);
    if (known === undefined) this.#waiting.set(key, { accountId, channel, entryCount });
    else known.entryCount += entryCount;
  }
}

const keyOf = ({ accountId, channel }: Pick<IndexBacklog, 'accountId' | 'channel'>): string =>
  `${accountId} ${channel}`;
