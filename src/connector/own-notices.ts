import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/log.ts';
import { type DatabaseChoice, databaseServer } from './store/connect/index.ts';
import type { SlotKeeper } from './store/hold/slot-keeper.ts';
import { Notices } from './store/notices/notices.ts';
import type { OwnFreshness } from './store/own-freshness.ts';
import type { SharedInvalidations } from './store/shared-invalidations.ts';

export interface OwnNoticesOptions {
  choice: DatabaseChoice;
  invalidations: SharedInvalidations;
  freshness: OwnFreshness;
  log: Logger;
  lifecycle: Lifecycle;
}

/** This process's notices, which it may begin before it has the slot, and keeps when it takes it. */
export class OwnNotices {
  readonly #options: OwnNoticesOptions;
  #notices: Notices | undefined;

  constructor(options: OwnNoticesOptions) {
    this.#options = options;
  }

  /** See `Notices.heardAgeMs`. */
  get heardAgeMs(): number | undefined {
    return this.#notices?.heardAgeMs;
  }

  /** Publishes and hears changes while other processes are at work. @param keeper undefined if there can be none */
  follow(keeper: SlotKeeper | undefined): void {
    const { choice, invalidations, freshness, log, lifecycle } = this.#options;
    const { notices: server } = databaseServer(choice);
    if (keeper === undefined || server === undefined || this.#notices !== undefined) return;
    const { processId } = keeper.company.claim;
    if (processId === undefined) return;
    const notices = new Notices({ server, processId, invalidations, log });
    this.#notices = notices;
    let isEnding = false;
    lifecycle.add('notices', () => {
      isEnding = true;
      return notices.close();
    });
    keeper.company.onLook(() => notices.follow(!isEnding && freshness.hasPeers()));
  }
}
