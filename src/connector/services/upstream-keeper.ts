import type { Logger } from '../../kernel/log.ts';
import { forcedReconnectMs } from '../domain/backoff.ts';

export interface UpstreamKeeperOptions {
  /** Has the network connected; true when there is nothing to be done any more. */
  reconnect: () => Promise<boolean>;
  /** From 0 to 1. */
  chance: () => number;
  log: Logger;
}

/** Has the bouncer connect again soon after a loss: left alone, it waits one to eleven minutes. */
export class UpstreamKeeper {
  readonly #options: UpstreamKeeperOptions;
  #attempt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: UpstreamKeeperOptions) {
    this.#options = options;
  }

  lost(): void {
    clearTimeout(this.#timer);
    const waitMs = forcedReconnectMs(this.#attempt, this.#options.chance());
    this.#attempt += 1;
    this.#timer = setTimeout(() => void this.#reconnect(), waitMs);
  }

  connected(): void {
    clearTimeout(this.#timer);
    this.#attempt = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #reconnect(): Promise<void> {
    try {
      if (await this.#options.reconnect()) return;
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the bouncer could not be told to connect');
    }
    this.lost();
  }
}
