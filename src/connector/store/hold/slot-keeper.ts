import type { Clock } from '../../../kernel/clock.ts';
import type { Fence } from '../../ports/claims.ts';
import type { Hold } from '../../ports/hold.ts';
import type { Membership } from './membership.ts';
import { Observation } from './observation.ts';
import type { Slot } from './process-rows.ts';

const SECOND_MS = 1_000;

/** How often a process says that it lives, and looks who has the slot. */
const BEAT_MS = 2_000;
/** The same after a heartbeat that was not answered. */
const RETRY_MS = 500;
/**
 * So long after it *sent* its last answered heartbeat a process trusts that it holds the slot: nobody takes the slot of a
 * process that was silent for less than nine seconds.
 */
export const TRUST_MS = 7_000;
/** A process whose clock differs by more from the database's is not ready: codes and tokens last for a minute and more. */
export const CLOCK_OFF_MS = 5_000;
/** A process whose clock differs by more holds nothing. */
export const CLOCK_WRONG_MS = 30_000;

/** An earlier version of the program, which shares nothing, has the database; or another program that takes the same lock. */
export class EarlierVersion extends Error {
  constructor() {
    super('an earlier version of the program, or another one, has taken the database');
  }
}

export interface SlotKeeperOptions {
  membership: Membership;
  clock: Clock;
  /** Milliseconds from an arbitrary start, with those in which the machine was suspended. It says how old an answer is. */
  sinceBoot(): number;
  /** A process that has ended for certain, if one is known: its slot is taken at once. */
  ended?: string | undefined;
  /** A heartbeat was not answered, or the slot could not be taken; further failures are reported only after a heartbeat was answered again. */
  failed(error: unknown): void;
  /** The clock here differs by more than five seconds from the database's; called when that begins. */
  clockIsOff(aheadMs: number): void;
}

/** Who has the slot, as this process saw it last. */
export interface Holder {
  processId: string;
  name: string | undefined;
  /** By the database's clock, milliseconds since 1970. */
  takenAt: number;
}

/**
 * Keeps one process among those that share a database: its heartbeats, its look at who has the slot, the slot itself once it
 * is free or its holder is dead, and how long it may be trusted. A process that has lost the slot never takes it again: it
 * ends, and the next run is another process.
 */
export class SlotKeeper {
  readonly #options: SlotKeeperOptions;
  readonly #observation = new Observation();
  readonly #taken = Promise.withResolvers<Hold>();
  #holder: Holder | undefined;
  #fence: Fence | undefined;
  /** Whose slot this process has tried to take. */
  #dead: string | undefined;
  #trustedUntil = Number.NEGATIVE_INFINITY;
  #clockAheadMs = 0;
  #clockDoubtMs = 0;
  #isLost = false;
  #isReleased = false;
  #isBeating = false;
  #isFailing = false;
  #isClockOff = false;
  /** Whether the connection has ended since the heartbeat under way began, which then proves nothing. */
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #doubtTimer: NodeJS.Timeout | undefined;
  #whyLost: string | undefined;
  #tellLost: ((why: string) => void) | undefined;
  readonly #tellDoubt: (() => void)[] = [];
  #tellSeen: (() => void)[] = [];

  constructor(options: SlotKeeperOptions) {
    this.#options = options;
    // A caller may have stopped to wait before this is rejected.
    this.#taken.promise.catch(() => undefined);
    this.#beatIn(0);
  }

  /** Resolves when this process has the slot. @throws Error when it is released before, or an earlier version has the database */
  get taken(): Promise<Hold> {
    return this.#taken.promise;
  }

  /** The process that has the slot; undefined where none has it, or none was seen yet. */
  get holder(): Holder | undefined {
    return this.#holder;
  }

  /** Whether this process is the one that has the slot, as far as it knows. */
  get hasSlot(): boolean {
    return this.#fence !== undefined && !this.#isLost && !this.#isReleased;
  }

  /** By how much the clock here is ahead of the database's, at least; 0 while it may be right. */
  get clockOffMs(): number {
    const { abs, sign, max } = Math;
    return sign(this.#clockAheadMs) * max(0, abs(this.#clockAheadMs) - this.#clockDoubtMs);
  }

  /** Resolves after the next answered heartbeat. */
  seen(): Promise<void> {
    return new Promise((resolve) => this.#tellSeen.push(resolve));
  }

  /** The connection that the heartbeats are sent on has ended: an earlier version of the program may get in now. */
  connectionEnded(): void {
    if (this.#isReleased) return;
    this.#hasEnded = true;
    this.#doubt();
    if (!this.#isBeating) this.#beatIn(0);
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#doubtTimer);
    this.#doubt();
    this.#taken.reject(new Error('this process waits for the database no more'));
    // Also where it is lost, by a clock that is wrong: nothing is written under it any more.
    await this.#options.membership.leave(this.#fence);
  }

  #beatIn(delayMs: number): void {
    if (this.#isReleased || this.#isLost) return;
    clearTimeout(this.#timer);
    // Keeps the program going: a process that waits may have nothing else to do.
    this.#timer = setTimeout(() => void this.#beat(), delayMs);
  }

  async #beat(): Promise<void> {
    const { membership, clock, sinceBoot } = this.#options;
    this.#isBeating = true;
    this.#hasEnded = false;
    const [sentAt, sentNow] = [sinceBoot(), clock.now()];
    let isAnswered = false;
    try {
      const slot = await membership.beat(this.#clockAheadMs);
      isAnswered = true;
      this.#isFailing = false;
      if (!this.#isReleased) await this.#sawSlot(slot, { sentAt, sentNow });
    } catch (error) {
      if (!this.#isReleased && !this.#isFailing) this.#options.failed(error);
      this.#isFailing = true;
    }
    this.#isBeating = false;
    if (this.#hasEnded) isAnswered = false;
    this.#beatIn(isAnswered ? Math.max(0, sentAt + BEAT_MS - sinceBoot()) : RETRY_MS);
  }

  async #sawSlot(slot: Slot | undefined, { sentAt, sentNow }: { sentAt: number; sentNow: number }): Promise<void> {
    if (slot === undefined) return this.#lose(new EarlierVersion());
    this.#clockDoubtMs = (this.#options.sinceBoot() - sentAt) / 2;
    this.#clockAheadMs = sentNow + this.#clockDoubtMs - slot.databaseNow;
    this.#holder = slot.holder && { ...slot.holder, takenAt: slot.takenAt };
    for (const tell of this.#tellSeen.splice(0)) tell();
    const wasClockOff = this.#isClockOff;
    this.#isClockOff = Math.abs(this.clockOffMs) > CLOCK_OFF_MS;
    if (this.#isClockOff && !wasClockOff) this.#options.clockIsOff(this.clockOffMs);
    const isClockWrong = Math.abs(this.clockOffMs) > CLOCK_WRONG_MS;
    if (this.#fence === undefined) {
      if (!isClockWrong) await this.#takeIfFree(slot, sentAt);
    } else if (!isOf(slot, this.#fence)) this.#lose(new Error('another process has taken the database'));
    else if (isClockWrong) this.#lose(new Error(wrongClock(this.clockOffMs)));
    else if (!this.#hasEnded) this.#trust(sentAt);
  }

  /** @param sentAt when the heartbeat was sent: this process cannot count as dead for nine seconds after that */
  async #takeIfFree(slot: Slot, sentAt: number): Promise<void> {
    const { membership, clock } = this.#options;
    const { holder, fence, databaseNow } = slot;
    if (holder?.processId === membership.processId) {
      // The database took it for this process, and the answer was lost.
      return this.#took({ processId: membership.processId, fence }, sentAt);
    }
    const isEnded = holder !== undefined && holder.processId === this.#options.ended;
    if (isEnded) await membership.expel(holder.processId);
    else if (holder !== undefined) {
      // By the clock that stands still in a suspended machine: the other one may have been suspended together with this one.
      if (!this.#observation.isDead({ ...holder, fence, databaseNow }, clock.monotonic())) return;
      this.#dead = holder.processId;
      // Frees the locks of a process that was frozen within a transaction.
      await membership.expel(holder.processId);
    }
    const taken = await membership.take(slot, isEnded);
    if (taken !== undefined) await this.#took(taken, sentAt);
  }

  async #took(fence: Fence, sentAt: number): Promise<void> {
    const { membership } = this.#options;
    // What it opened while the slot was taken was still its right to open.
    if (this.#dead !== undefined) await membership.expel(this.#dead);
    if (this.#isReleased) return void (await membership.leave(fence));
    this.#fence = fence;
    this.#trust(sentAt);
    this.#taken.resolve(this.#hold(fence));
  }

  #trust(sentAt: number): void {
    this.#trustedUntil = sentAt + TRUST_MS;
    clearTimeout(this.#doubtTimer);
    const delayMs = Math.max(0, this.#trustedUntil - this.#options.sinceBoot());
    this.#doubtTimer = setTimeout(() => this.#doubt(), delayMs).unref();
  }

  #doubt(): void {
    this.#trustedUntil = Number.NEGATIVE_INFINITY;
    for (const tell of this.#tellDoubt) tell();
  }

  #lose(reason: Error): void {
    this.#isLost = true;
    clearTimeout(this.#doubtTimer);
    this.#doubt();
    this.#taken.reject(reason);
    this.#whyLost = reason.message;
    this.#tellLost?.(reason.message);
  }

  #isTrusted(): boolean {
    if (this.#isLost || this.#isReleased || this.#trustedUntil === Number.NEGATIVE_INFINITY) return false;
    if (this.#options.sinceBoot() < this.#trustedUntil) return true;
    // After a suspension the timers have not run yet that stop what is under way, and that send the next heartbeat.
    this.#doubt();
    if (!this.#isBeating) this.#beatIn(0);
    return false;
  }

  #hold(fence: Fence): Hold {
    return {
      fence,
      isTakenFromDead: this.#dead !== undefined,
      isTrusted: () => this.#isTrusted(),
      onLost: (lost) => {
        this.#tellLost = lost;
        if (this.#whyLost !== undefined) lost(this.#whyLost);
      },
      onDoubt: (doubted) => void this.#tellDoubt.push(doubted),
      release: () => this.release(),
    };
  }
}

const wrongClock = (aheadMs: number): string =>
  `the clock of this machine is ${Math.round(Math.abs(aheadMs) / SECOND_MS)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database’s, so this process has given the database up`;

const isOf = ({ holder, fence }: Slot, own: Fence): boolean =>
  holder?.processId === own.processId && fence === own.fence;
