import type { Fence } from '../../ports/claims.ts';
import type { Hold } from '../../ports/hold.ts';
import { TRUST_MS } from './observation.ts';

export interface TrustedHoldOptions {
  /** Returns milliseconds from an arbitrary start, including suspended time. */
  sinceBoot(): number;
  /** Sends a heartbeat at once, because the trust has ended before the next one. */
  prove(): void;
  /** Releases the slot. */
  release(): Promise<void>;
}

/**
 * The hold of the slot, for the work under it. Each heartbeat whose answer proves it extends the trust; without one the
 * trust ends by itself, before another process takes the slot, and returns with the next proof. A lost or released hold
 * is never trusted again.
 */
export class TrustedHold {
  readonly #options: TrustedHoldOptions;
  #trustedUntil = Number.NEGATIVE_INFINITY;
  #provedAt = Number.NEGATIVE_INFINITY;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #whyLost: string | undefined;
  #onLost: ((why: string) => void) | undefined;
  readonly #doubtListeners: (() => void)[] = [];

  constructor(options: TrustedHoldOptions) {
    this.#options = options;
  }

  /** Sending time of the last heartbeat whose answer proved that this process has the slot. */
  get provedAt(): number {
    return this.#provedAt;
  }

  /**
   * Extends the trust.
   * @param sentAt sending time of the heartbeat that proves the hold
   * @returns how long it is trusted from now on, in milliseconds; negative if the answer came too late
   */
  trust(sentAt: number): number {
    if (this.#hasEnded) return Number.NEGATIVE_INFINITY;
    this.#trustedUntil = sentAt + TRUST_MS;
    this.#provedAt = sentAt;
    clearTimeout(this.#timer);
    const leftMs = this.#trustedUntil - this.#options.sinceBoot();
    this.#timer = setTimeout(() => this.doubt(), Math.max(0, leftMs)).unref();
    return leftMs;
  }

  /** Ends the trust until the next proof. */
  doubt(): void {
    this.#trustedUntil = Number.NEGATIVE_INFINITY;
    for (const listener of this.#doubtListeners) listener();
  }

  /** Ends the trust for good. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.doubt();
  }

  /** Reports why the hold, whose trust has ended for good, was lost. */
  lost(why: string): void {
    this.#whyLost = why;
    this.#onLost?.(why);
  }

  under(fence: Fence): Hold {
    return {
      fence,
      isTrusted: () => this.#isTrusted(),
      onLost: (lost) => {
        this.#onLost = lost;
        if (this.#whyLost !== undefined) lost(this.#whyLost);
      },
      onDoubt: (doubted) => void this.#doubtListeners.push(doubted),
      release: () => this.#options.release(),
    };
  }

  #isTrusted(): boolean {
    if (this.#trustedUntil === Number.NEGATIVE_INFINITY) return false;
    if (this.#options.sinceBoot() < this.#trustedUntil) return true;
    // After a suspension, the timers that stop running statements and send the next heartbeat have not fired yet.
    this.doubt();
    this.#options.prove();
    return false;
  }
}
