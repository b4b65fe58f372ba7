import type { Claim } from '../../ports/claims.ts';
import { DEAD_AFTER_MS, TRUST_MS } from './observation.ts';

/** Other processes that serve on the same database, at one moment. */
export interface CompanySeen {
  /** Number of other processes that serve without the slot, dead ones included. */
  readers: number;
  /** Since when this process counts as one, by the database's clock; undefined if it does not. */
  readsSince: number | undefined;
}

export interface CompanyOptions {
  processId: string;
  /** Reads it, after this process was entered as one that serves, if it wants to. */
  ask(wantsToRead: boolean): Promise<CompanySeen>;
  sinceBoot(): number;
}

/**
 * Knows whether other processes serve on the same database without the slot, and whether this one may. Such a process
 * is entered in the database nine seconds before it serves. The one that has the slot looks every two seconds, and
 * trusts a look for seven: so it never takes itself for alone while another one serves. A process that was entered and
 * has not left counts as long as its row is there, because one that is frozen may wake.
 */
export class Company {
  readonly #options: CompanyOptions;
  readonly #begins = Promise.withResolvers<void>();
  /** The tables may be those of an earlier version. */
  #isCurrent = false;
  #wantsToRead = false;
  #period = 0;
  /** Sending time of the last answered look. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  #aloneFrom = Number.POSITIVE_INFINITY;
  #readsSince: number | undefined;
  #readsFrom = Number.POSITIVE_INFINITY;
  #hasEnded = false;
  #readers = 0;

  constructor(options: CompanyOptions) {
    this.#options = options;
  }

  /** Looks from now on: the schema has all that is looked for. */
  schemaIsCurrent(): void {
    this.#isCurrent = true;
  }

  /** Milliseconds since the machine's start. */
  now(): number {
    return this.#options.sinceBoot();
  }

  /** Number of other processes that serve without the slot, as last seen. */
  get readers(): number {
    return this.#readers;
  }

  /** See `Freshness.alone`, for the process that has the slot. */
  alone(): number | undefined {
    const now = this.now();
    return now >= this.#aloneFrom && now - this.#lookedAt < TRUST_MS ? this.#period : undefined;
  }

  /** Enters this process as one that serves. The schema must be current. */
  read(): void {
    this.#isCurrent = true;
    this.#wantsToRead = true;
  }

  /** Resolves when this process may serve for the first time. */
  get begins(): Promise<void> {
    return this.#begins.promise;
  }

  /** Whether this process may serve without the slot, as far as its company is concerned. */
  mayRead(): boolean {
    const now = this.now();
    return !this.#hasEnded && now >= this.#readsFrom && now - this.#lookedAt < TRUST_MS;
  }

  /** Right of this process to use the database without the slot. Losing it is no reason to end: it may come back. */
  get claim(): Claim {
    return {
      processId: this.#options.processId,
      isTrusted: () => this.mayRead(),
      onLost: () => undefined,
      onDoubt: () => undefined,
      release: async () => undefined,
    };
  }

  /** Looks once. Call it after each heartbeat. @throws Error when the database does not answer */
  async look(): Promise<void> {
    if (!this.#isCurrent) return;
    const sentAt = this.now();
    const { readers, readsSince } = await this.#options.ask(this.#wantsToRead);
    const now = this.now();
    this.#readers = readers;
    if (readers > 0) this.#aloneFrom = Number.POSITIVE_INFINITY;
    else if (this.#aloneFrom === Number.POSITIVE_INFINITY || sentAt - this.#lookedAt >= TRUST_MS) {
      // A promoted standby may have lost the row of a process that still trusts its last look.
      this.#aloneFrom = now + TRUST_MS;
      this.#period += 1;
    }
    // The row is new, also if it was deleted meanwhile: others may have taken themselves for alone.
    if (readsSince !== this.#readsSince) this.#readsFrom = now + DEAD_AFTER_MS;
    if (readsSince === undefined) this.#readsFrom = Number.POSITIVE_INFINITY;
    this.#readsSince = readsSince;
    this.#lookedAt = sentAt;
    if (this.mayRead()) this.#begins.resolve();
  }

  /** This process serves no more. */
  end(): void {
    this.#hasEnded = true;
    this.#aloneFrom = Number.POSITIVE_INFINITY;
  }
}
