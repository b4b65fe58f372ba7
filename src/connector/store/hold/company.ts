import type { Claim, Entry } from '../../ports/claims.ts';
import { DEAD_AFTER_MS, Observation, TRUST_MS } from './observation.ts';

/** Another process that serves without the slot. */
export interface ReaderSeen {
  processId: string;
  /** Time of its last heartbeat, by the database's clock. */
  seenAt: number;
  databaseNow: number;
}

/** Other processes that serve on the same database, at one moment. */
export interface CompanySeen {
  /** Those that serve without the slot, dead ones included. */
  others: readonly ReaderSeen[];
  /** Since when this process counts as one, by the database's clock; undefined if it does not. */
  readsSince: number | undefined;
}

export interface CompanyOptions {
  processId: string;
  /** Reads it, after this process was entered as one that serves, if it wants to. */
  ask(wantsToRead: boolean): Promise<CompanySeen>;
  /**
   * Ends the connections of a dead process, takes its account slots and deletes its row.
   * @returns false if they can't be ended, it lives, or another process has to do it
   */
  bury(dead: ReaderSeen): Promise<boolean>;
  /** Whether this process has account slots without having the slot: then it must not lose its entry. */
  hasAccounts(): boolean;
  /** Called when it has lost it. */
  lost(why: string): void;
  /** Whether the clock of this process differs by so much that it must not serve. */
  isClockOff(): boolean;
  sinceBoot(): number;
  /** Returns milliseconds that stop in a suspended machine: the other process may have been suspended, too. */
  monotonic(): number;
}

const BURIED = 'this process was silent for so long that another one has taken its accounts';

/**
 * Knows whether other processes serve on the same database without the slot, and whether this one may. Such a process
 * is entered in the database nine seconds before it serves. The one that has the slot looks every two seconds, and
 * trusts a look for seven: so it never takes itself for alone while another one serves. A process that was entered and
 * has not left counts as long as its row is there, because one that is frozen may wake. When it is dead, the process
 * that has the slot ends its connections and deletes its row: then it has to be entered anew before it can store.
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
  /** Dead process for which the last attempt was. */
  #tried: string | undefined;
  #hasEnded = false;
  /** Other processes that serve without the slot, by the last look. */
  #others: ReadonlySet<string> = new Set();
  /** Those of them that are not dead. */
  #living: readonly string[] = [];
  /** Process → how long its heartbeat has not changed. */
  readonly #observations = new Map<string, Observation>();
  /** Earliest time at which this process may take itself for alone. */
  #notAloneBefore = Number.POSITIVE_INFINITY;
  readonly #listeners: (() => void)[] = [];
  readonly #doubters: (() => void)[] = [];
  readonly #losers: ((why: string) => void)[] = [];
  #doubtTimer: NodeJS.Timeout | undefined;

  constructor(options: CompanyOptions) {
    this.#options = options;
  }

  /** Looks from now on: the schema has all that is looked for. */
  schemaIsCurrent(): void {
    this.#isCurrent = true;
  }

  /** Whether it looks. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Since when this process is entered, by the database's clock, as last seen. */
  get readsSince(): number | undefined {
    return this.#readsSince;
  }

  /** Milliseconds since the machine's start. */
  now(): number {
    return this.#options.sinceBoot();
  }

  /** Ids of other processes that serve without the slot and live, as last seen. */
  get living(): readonly string[] {
    return this.#living;
  }

  /** Whether this process is entered as one that serves without the slot, as last seen. */
  get isEntered(): boolean {
    return !this.#hasEnded && this.#readsSince !== undefined;
  }

  /** Calls `looked` after each look. */
  onLook(looked: () => void): void {
    this.#listeners.push(looked);
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
    return this.#isHeard() && !this.#options.isClockOff();
  }

  /** Whether this process is entered for long enough, as the database has answered lately. */
  #isHeard(): boolean {
    const now = this.now();
    return !this.#hasEnded && now >= this.#readsFrom && now - this.#lookedAt < TRUST_MS;
  }

  /**
   * Right of this process to use the database without the slot. It may come back, unless the process had account slots:
   * then others act for those accounts. Like the process that has the slot, one with account slots goes on acting for
   * them while its clock is a little off.
   */
  get claim(): Claim {
    const { processId, hasAccounts } = this.#options;
    return {
      processId,
      entry: this.#entry,
      isTrusted: () => this.mayRead() || (hasAccounts() && this.#isHeard()),
      onLost: (lost) => void this.#losers.push(lost),
      onDoubt: (doubted) => void this.#doubters.push(doubted),
      release: async () => undefined,
    };
  }

  get #entry(): Entry {
    return {
      processId: this.#options.processId,
      since: () => this.#readsSince,
      refused: () => {
        if (this.#options.hasAccounts()) this.#options.lost(BURIED);
      },
    };
  }

  /**
   * Looks once. Call it after each heartbeat.
   * @param sentAt sending time of the heartbeat: the time in which the look is trusted must end before others take this
   * process for dead
   * @throws Error when the database does not answer
   */
  async look(sentAt: number): Promise<void> {
    if (!this.#isCurrent) return;
    // Timers may not have run since: they stop while the machine is suspended.
    if (this.now() - this.#lookedAt >= TRUST_MS) this.#doubt();
    const { others, readsSince } = await this.#options.ask(this.#wantsToRead);
    if (readsSince !== this.#readsSince && this.#options.hasAccounts()) return this.#options.lost(BURIED);
    const left = await this.#buryDead(others);
    const now = this.now();
    this.#seeOthers(new Set(left), { sentAt, now });
    // The row is new, also if it was deleted meanwhile: others may have taken themselves for alone.
    if (readsSince !== this.#readsSince) this.#readsFrom = now + DEAD_AFTER_MS;
    if (readsSince === undefined) this.#readsFrom = Number.POSITIVE_INFINITY;
    this.#readsSince = readsSince;
    this.#lookedAt = sentAt;
    clearTimeout(this.#doubtTimer);
    this.#doubtTimer = setTimeout(() => this.#doubt(), Math.max(0, sentAt + TRUST_MS - now)).unref();
    if (this.mayRead()) this.#begins.resolve();
    for (const looked of this.#listeners) looked();
  }

  #seeOthers(others: ReadonlySet<string>, { sentAt, now }: { sentAt: number; now: number }): void {
    const isStale = sentAt - this.#lookedAt >= TRUST_MS;
    // A promoted standby may have lost the row of a process that still trusts its last look.
    if (isStale || [...this.#others].some((id) => !others.has(id))) this.#notAloneBefore = now + TRUST_MS;
    this.#others = others;
    if (others.size > 0) this.#aloneFrom = Number.POSITIVE_INFINITY;
    else if (isStale || this.#aloneFrom === Number.POSITIVE_INFINITY) {
      this.#aloneFrom = Math.max(now, this.#notAloneBefore);
      this.#period += 1;
    }
  }

  /**
   * Returns the ids of processes that still count. One dead process is buried in each look, which must not take long:
   * each in turn, because some may not be buried.
   */
  async #buryDead(others: readonly ReaderSeen[]): Promise<string[]> {
    const ids = new Set(others.map(({ processId }) => processId));
    for (const id of this.#observations.keys()) if (!ids.has(id)) this.#observations.delete(id);
    const dead = others.filter((other) => this.#isDead(other));
    const last = dead.findIndex(({ processId }) => processId === this.#tried);
    const next = dead[(last + 1) % Math.max(1, dead.length)];
    this.#tried = next?.processId;
    this.#living = [...ids].filter((id) => dead.every(({ processId }) => processId !== id));
    // It is buried with the next look.
    if (next === undefined || !(await this.#options.bury(next).catch(() => false))) return [...ids];
    ids.delete(next.processId);
    // Dead for nine seconds and without connections, it trusts nothing that it has read.
    this.#others = new Set([...this.#others].filter((id) => id !== next.processId));
    return [...ids];
  }

  #isDead({ processId, seenAt, databaseNow }: ReaderSeen): boolean {
    const observation = this.#observations.get(processId) ?? new Observation();
    this.#observations.set(processId, observation);
    return observation.isDead({ processId, fence: 0, seenAt, databaseNow }, this.#options.monotonic());
  }

  #doubt(): void {
    for (const doubted of this.#doubters) doubted();
  }

  /** This process has lost its entry for good. */
  lose(why: string): void {
    this.end();
    for (const lost of this.#losers.splice(0)) lost(why);
  }

  /** This process serves no more. */
  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#doubtTimer);
    this.#doubt();
    this.#aloneFrom = Number.POSITIVE_INFINITY;
    for (const looked of this.#listeners) looked();
  }
}
