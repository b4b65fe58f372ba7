import type { Clock } from '../../../kernel/clock.ts';
import type { Fence } from '../../ports/claims.ts';
import type { Hold, TakeoverCause } from '../../ports/hold.ts';
import { NewerDatabase } from '../migrate.ts';
import { AccountSlots } from './account-slots.ts';
import { Agreement } from './agreement.ts';
import { ClockDifference, isWrong } from './clock-difference.ts';
import { Company } from './company.ts';
import { EarlierVersion } from './earlier-version.ts';
import type { Membership, SharingSeen } from './membership.ts';
import { NewerHolder } from './newer-holder.ts';
import { DEAD_AFTER_MS } from './observation.ts';
import type { Slot } from './process-rows.ts';
import { Takeover, type TakeoverOptions } from './takeover.ts';
import { TrustedHold } from './trusted-hold.ts';

/** Interval of heartbeats, each followed by a look at the slot. */
const BEAT_MS = 2_000;
/** Interval after a heartbeat that was not answered. */
const RETRY_MS = 500;
/** Interval after one that is followed at once. */
const HASTY_MS = 100;
/** Least trusted time with which a process begins to use the slot: until another heartbeat is answered. */
const BEGIN_TRUSTED_MS = 2_000;

export interface SlotKeeperOptions extends Pick<TakeoverOptions, 'ended' | 'connectionsLeft' | 'waitsForOlder'> {
  membership: Membership;
  clock: Clock;
  /** Returns milliseconds from an arbitrary start, including suspended time. It measures how old an answer is. */
  sinceBoot(): number;
  /** Called when a heartbeat was not answered; again only after an answered one. */
  failed(error: unknown): void;
  /** Called when the slot, free or of a dead process, could not be taken; once, until no step fails. */
  takingFailed(error: unknown): void;
  /** Called when the clock here begins to differ by more than five seconds from the database's. */
  clockIsOff(aheadMs: number): void;
}

/** Holder of the slot, as this process last saw it. */
export interface Holder {
  processId: string;
  name: string | undefined;
  /** Time by the database's clock, milliseconds since 1970. */
  takenAt: number;
}

/**
 * Keeps one process among those that share a database. It sends heartbeats, watches the slot, takes it once it is free
 * or its holder is dead, and decides how long the hold may be trusted. A process that has lost the slot never takes it
 * again: it ends, and the next run is another process.
 */
export class SlotKeeper {
  readonly #options: SlotKeeperOptions;
  /** Other processes that serve without the slot. */
  readonly company: Company;
  /** Accounts that this process acts for. */
  readonly accounts: AccountSlots;
  readonly #takeover: Takeover;
  readonly #trusted: TrustedHold;
  /** Settings that all processes share. */
  readonly agreement: Agreement;
  readonly #taken = Promise.withResolvers<Hold>();
  #holder: Holder | undefined;
  #fence: Fence | undefined;
  /** Sending time and duration of the last answered heartbeat. */
  #answered = { sentAt: Number.NaN, tookMs: Number.NaN };
  #isAwaited = false;
  readonly #difference = new ClockDifference();
  readonly #startedAt: number;
  #isLost = false;
  #isReleased = false;
  #released: Promise<void> | undefined;
  #isBeating = false;
  /** Whether the next heartbeat follows at once. */
  #isHasty = false;
  #failing: 'heartbeat' | 'taking' | undefined;
  /** Whether the connection has ended since the heartbeat under way began; its answer then proves no hold. */
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #whenSeen: (() => void)[] = [];

  constructor(options: SlotKeeperOptions) {
    this.#options = options;
    const { membership, clock, sinceBoot } = options;
    this.#startedAt = sinceBoot();
    this.company = new Company({
      processId: membership.processId,
      ask: (wantsToRead) => membership.company(wantsToRead),
      // One process does it; it alone has to know when it is alone.
      bury: async (dead) => {
        const fence = this.#presentFence;
        return fence !== undefined && (await membership.bury(dead, fence));
      },
      hasAccounts: () => this.#actsBeside,
      lost: (why) => this.#lose(new Error(why)),
      isClockOff: () => this.isClockOff,
      sinceBoot,
      monotonic: () => clock.monotonic(),
    });
    this.accounts = new AccountSlots({
      ...{ membership, ended: options.ended },
      fence: () => this.#presentFence,
      readsSince: () => this.company.readsSince,
      isAlone: () => this.company.alone() !== undefined,
      lookNow: () => this.lookNow(),
      lost: (why) => this.#lose(new Error(why)),
    });
    this.#takeover = new Takeover({
      ...options,
      actsSince: () => (this.#actsBeside ? this.company.readsSince : undefined),
    });
    this.#trusted = new TrustedHold({
      sinceBoot,
      prove: () => {
        if (!this.#isBeating) this.#beatIn(0);
      },
      release: () => this.release(),
    });
    this.agreement = new Agreement(membership);
    // A caller may have stopped waiting before this is rejected.
    this.#taken.promise.catch(() => undefined);
    this.#beatIn(0);
  }

  /**
   * Resolves when this process has the slot.
   * @throws Error when it is released before, or an earlier version has the database
   */
  get taken(): Promise<Hold> {
    return this.#taken.promise;
  }

  /** The process that has the slot; undefined if it is free, or was not read yet. */
  get holder(): Holder | undefined {
    return this.#holder;
  }

  /** Whether this process is the one that has the slot, as far as it knows. */
  get hasSlot(): boolean {
    return this.#presentFence !== undefined;
  }

  get #presentFence(): Fence | undefined {
    return this.#isLost || this.#isReleased ? undefined : this.#fence;
  }

  /** Whether this process acts for accounts while another one has the slot. */
  get #actsBeside(): boolean {
    return this.#fence === undefined && this.accounts.own.size > 0;
  }

  /** Number of processes that serve requests on the database, this one included, as last seen. */
  get serving(): number {
    const { membership } = this.#options;
    const serving = new Set([membership.processId, ...this.company.living]);
    if (this.#holder !== undefined) serving.add(this.#holder.processId);
    return serving.size;
  }

  /** How far the clock here is ahead of the database's, at least; 0 while it may be right. */
  get clockOffMs(): number {
    return this.#difference.offMs;
  }

  /** Why this process could take the slot; undefined while it has not. */
  get takeover(): TakeoverCause | undefined {
    return this.#fence === undefined ? undefined : this.#takeover.cause;
  }

  /** Milliseconds since the last answered heartbeat was sent, and until it was answered; NaN before the first. */
  get heartbeat(): { ageMs: number; tookMs: number } {
    const { sentAt, tookMs } = this.#answered;
    return { ageMs: this.#options.sinceBoot() - sentAt, tookMs };
  }

  /** Whether the clock here differs by so much that this process must not serve. */
  get isClockOff(): boolean {
    return this.#difference.isOff;
  }

  /**
   * Whether another process may serve by now: one was waiting at the database's last answer, and that is older than a
   * process may be silent.
   */
  get mayBeReplaced(): boolean {
    return this.hasSlot && this.#isAwaited && this.#options.sinceBoot() - this.#trusted.provedAt >= DEAD_AFTER_MS;
  }

  /** Sends the next heartbeat at once: another process may have changed something. */
  lookNow(): void {
    if (this.#isBeating) this.#isHasty = true;
    else this.#beatIn(0);
  }

  /** Resolves after the next answered heartbeat. */
  seen(): Promise<void> {
    return new Promise((resolve) => this.#whenSeen.push(resolve));
  }

  /** Handles the end of the heartbeats' connection: an earlier version of the program may get in now. */
  connectionEnded(): void {
    if (this.#isReleased) return;
    this.#hasEnded = true;
    this.#trusted.doubt();
    if (!this.#isBeating) this.#beatIn(0);
  }

  /** Lists the processes that share the database. */
  look(): Promise<SharingSeen> {
    return this.#options.membership.look();
  }

  /** Releases once; later calls wait for the same end. */
  release(): Promise<void> {
    this.#released ??= this.#release();
    return this.#released;
  }

  async #release(): Promise<void> {
    this.#isReleased = true;
    this.company.end();
    this.accounts.end();
    clearTimeout(this.#timer);
    this.#trusted.end();
    this.#taken.reject(new Error('this process waits for the database no more'));
    // Also after a loss by a wrong clock: this process writes no more under the slot.
    await this.#options.membership.leave();
  }

  #beatIn(delayMs: number): void {
    if (this.#isReleased || this.#isLost) return;
    clearTimeout(this.#timer);
    // The timer keeps the program alive: a waiting process may have no other work.
    this.#timer = setTimeout(() => void this.#beat(), delayMs);
  }

  async #beat(): Promise<void> {
    const { membership, clock, sinceBoot } = this.#options;
    this.#isBeating = true;
    this.#isHasty = false;
    this.#hasEnded = false;
    const [sentAt, sentNow] = [sinceBoot(), clock.now()];
    const statedMs = this.clockOffMs;
    let isAnswered = false;
    try {
      const slot = await membership.beat(statedMs, sentAt - this.#startedAt);
      isAnswered = true;
      this.#answered = { sentAt, tookMs: sinceBoot() - sentAt };
      if (!this.#isReleased) await this.#sawSlot(slot, { sentAt, sentNow });
      // Without an answer this process does not take itself for alone, and does not serve without the slot.
      if (slot !== undefined) await this.#lookAround(sentAt);
      this.#failing = undefined;
    } catch (error) {
      if (error instanceof NewerDatabase || error instanceof NewerHolder) this.#lose(error);
      else this.#report(error, isAnswered ? 'taking' : 'heartbeat');
    }
    this.#isBeating = false;
    if (this.#hasEnded) isAnswered = false;
    // Other processes should learn soon whether this one may take the slot.
    const isNews = isWrong(statedMs) !== isWrong(this.clockOffMs);
    const dueMs = sentAt + (this.#isHasty ? HASTY_MS : BEAT_MS) - sinceBoot();
    this.#beatIn(isAnswered && !isNews ? Math.max(0, dueMs) : RETRY_MS);
  }

  async #lookAround(sentAt: number): Promise<void> {
    await this.agreement
      .look()
      .then(() => this.company.look(sentAt))
      // A failure that lasts is that of the heartbeat, which reports it.
      .catch(() => undefined);
    // A failure that lasts is that of the heartbeat, which reports it.
    if (this.company.isCurrent && !this.#isLost) await this.accounts.look().catch(() => undefined);
  }

  /** Reports each kind of failure when it begins, because it may last. */
  #report(error: unknown, what: 'heartbeat' | 'taking'): void {
    const { failed, takingFailed } = this.#options;
    const isKnown = this.#failing === what;
    this.#failing = what;
    if (isKnown || this.#isReleased) return;
    if (what === 'heartbeat') failed(error);
    else takingFailed(error);
  }

  async #sawSlot(slot: Slot | undefined, { sentAt, sentNow }: { sentAt: number; sentNow: number }): Promise<void> {
    if (slot === undefined) return this.#lose(new EarlierVersion());
    const tookMs = this.#options.sinceBoot() - sentAt;
    const isNewlyOff = this.#difference.see({ sentNow, tookMs, databaseNow: slot.databaseNow });
    this.#holder = slot.holder && { ...slot.holder, takenAt: slot.takenAt };
    // While the slot is free, this process itself is among those that wait.
    this.#isAwaited = slot.isAwaited && slot.holder?.processId === this.#options.membership.processId;
    for (const resolveSeen of this.#whenSeen.splice(0)) resolveSeen();
    if (isNewlyOff) this.#options.clockIsOff(this.clockOffMs);
    const { wrong } = this.#difference;
    if (this.#fence === undefined) {
      if (wrong === undefined) await this.#takeIfFree(slot, sentAt);
      else if (this.#actsBeside) this.#lose(new Error(wrong));
    } else if (!isOf(slot, this.#fence)) this.#lose(new Error('another process has taken the database'));
    else if (wrong !== undefined) this.#lose(new Error(wrong));
    else if (!this.#hasEnded) this.#trust(this.#fence, sentAt);
  }

  /** @param sentAt sending time of the heartbeat: this process cannot count as dead for nine seconds after it */
  async #takeIfFree(slot: Slot, sentAt: number): Promise<void> {
    const fence = await this.#takeover.attempt(slot);
    if (fence === undefined || this.#isReleased) return;
    this.#fence = fence;
    this.#trust(fence, sentAt);
  }

  /**
   * Extends the trust. Taking the slot may take longer than a heartbeat is trusted: then the next heartbeat, sent at
   * once, begins the hold.
   */
  #trust(fence: Fence, sentAt: number): void {
    if (this.#trusted.trust(sentAt) >= BEGIN_TRUSTED_MS) this.#taken.resolve(this.#trusted.under(fence));
  }

  #lose(reason: Error): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#trusted.end();
    const isBeside = this.#fence === undefined;
    this.accounts.end();
    if (isBeside) this.company.lose(reason.message);
    this.#taken.reject(reason);
    this.#trusted.lost(reason.message);
  }
}

const isOf = ({ holder, fence }: Slot, own: Fence): boolean =>
  holder?.processId === own.processId && fence === own.fence;
