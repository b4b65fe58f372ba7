import type { Fence } from '../../ports/claims.ts';
import { ACCOUNT_SLOTS } from '../slots-of-accounts.ts';
import type { OwnRight, Share } from './account-slot-rows.ts';
import type { Ended, Membership } from './membership.ts';

export interface AccountSlotsOptions {
  membership: Pick<Membership, 'processId' | 'accountSlots' | 'adopt' | 'forget' | 'give' | 'decline'>;
  /** Run of the program before this one, if it is known. */
  ended?: Ended | undefined;
  /** Returns the fence of the slot; undefined while this process does not have it. */
  fence(): Fence | undefined;
  /** Returns since when this process is entered as one that serves without the slot, as last seen. */
  readsSince(): number | undefined;
  /** Whether no other process serves, as the last look around has proved. */
  isAlone(): boolean;
  /** Sends the next heartbeat at once. */
  lookNow(): void;
  /** Called when the database says that this process does not have all that it should have. */
  lost(why: string): void;
}

const GONE = 'the database no longer says that this process acts for all of its accounts';
const WITHOUT: ReadonlySet<number> = new Set();

/**
 * The account slots of this process: it acts for the accounts in them, and for no others. Free ones go to the process
 * that has the slot; those of a living process move only when that process gives them. The object reads them with each
 * heartbeat, which keeps a look and a gift from overlapping; a lone process that has all of them reads none.
 */
export class AccountSlots {
  readonly #options: AccountSlotsOptions;
  #own = WITHOUT;
  #shares: readonly Share[] = [];
  readonly #listeners: ((now: ReadonlySet<number>) => void)[] = [];
  /** Whether a gift's answer was lost: it may be stored later. */
  #isInDoubt = false;
  /** Whether this process takes no more account slots, undefined until it says so; and what the database knows of that. */
  #declines: boolean | undefined;
  #recordedDeclines = false;
  /** Whether the run before this one has none any more, as far as this process can see to it. */
  #hasFreed = false;
  #hasEnded = false;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];

  constructor(options: AccountSlotsOptions) {
    this.#options = options;
  }

  /** Slots that this process acts for, by the last answered look. */
  get own(): ReadonlySet<number> {
    return this.#own;
  }

  /** This process and all that are fit to get some, as last seen. */
  get shares(): readonly Share[] {
    return this.#shares;
  }

  /** Calls `changed` after each look that finds other slots than this process had. */
  onChange(changed: (now: ReadonlySet<number>) => void): void {
    this.#listeners.push(changed);
  }

  /**
   * Looks at once; resolves when a look that has begun later is answered.
   * @throws Error when this process is released, or has lost its slots
   */
  seen(): Promise<void> {
    if (this.#hasEnded) return Promise.reject(ended());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#options.lookNow();
    });
  }

  /** Looks once. Call it after each heartbeat. @throws Error when the database does not answer */
  look(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#mustHaveAll()) return;
      const { membership, fence } = this.#options;
      const waiting = this.#waiting.splice(0);
      try {
        await this.#freeEnded();
        let seen = await membership.accountSlots(this.#isInDoubt);
        const holder = fence();
        if (seen.hasFree && holder !== undefined) {
          // Those that it can't take now are taken later.
          await membership.adopt(holder).catch(() => undefined);
          seen = await membership.accountSlots(this.#isInDoubt);
        }
        this.#isInDoubt = false;
        // Its row may be new: another process counted this one as dead.
        this.#recordedDeclines = seen.declines;
        await this.#recordWish();
        this.#see(new Set(seen.own), seen.shares);
        if (!this.#hasEnded) for (const { resolve } of waiting.splice(0)) resolve();
      } finally {
        this.#waiting.unshift(...waiting);
        if (this.#hasEnded) this.#rejectWaiting();
      }
    });
  }

  /**
   * Frees the account slots of the run before this one, if the kernel has seen its end: otherwise they stay with it until
   * it counts as dead. A failure is tried again with the next look.
   */
  async #freeEnded(): Promise<void> {
    const { ended, membership } = this.#options;
    if (this.#hasFreed || ended?.isCertain !== true) return;
    await membership.forget(ended.processId).then(
      () => {
        this.#hasFreed = true;
      },
      // The next look tries again.
      () => undefined,
    );
  }

  /** Whether this process has all slots and no other one could have got any, so that a look finds nothing new. */
  #mustHaveAll(): boolean {
    const { fence, isAlone } = this.#options;
    const isSaid = (this.#declines ?? this.#recordedDeclines) === this.#recordedDeclines;
    const isSettled = !this.#isInDoubt && isSaid && this.#waiting.length === 0;
    const isOnlyOne = this.#shares.length === 1 && fence() !== undefined && isAlone();
    return isSettled && isOnlyOne && this.#own.size === ACCOUNT_SLOTS;
  }

  #see(own: ReadonlySet<number>, shares: readonly Share[]): void {
    if (this.#hasEnded) return;
    const before = this.#own;
    // It has given none of these: a promoted standby, or a backup, has lost what was stored last.
    if ([...before].some((slot) => !own.has(slot))) {
      this.#options.lost(GONE);
      return;
    }
    this.#own = own;
    this.#shares = shares;
    if (own.size === before.size) return;
    for (const changed of this.#listeners) changed(own);
  }

  /**
   * Gives an account slot to another process. End all work for its accounts before. Another call than this never takes it
   * from a living process.
   * @returns false if this process keeps it: the other one is not fit to get it, or the locks were not free in time. True
   * also if the answer was lost: then a later look may find that this process has it still
   */
  give(slot: number, to: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const right = this.#right();
      if (!this.#own.has(slot) || right === undefined || to === this.#options.membership.processId) return false;
      const before = this.#own;
      this.#own = new Set([...before].filter((each) => each !== slot));
      let isStored = false;
      const stored = (): void => {
        isStored = true;
      };
      try {
        if (await this.#options.membership.give({ slot, to }, right, stored)) return true;
      } catch {
        // It is in doubt if it was stored, and fails as refused if not.
        this.#isInDoubt ||= isStored;
        if (isStored) return true;
      }
      if (!this.#hasEnded) this.#own = before;
      return false;
    });
  }

  #right(): OwnRight | undefined {
    const fence = this.#options.fence();
    if (fence !== undefined) return { fence };
    const readsSince = this.#options.readsSince();
    return readsSince === undefined ? undefined : { readsSince };
  }

  /**
   * This process gets no more account slots, because it is going to end or can’t reach the bouncer. A failure is tried
   * again with each look.
   */
  decline(): Promise<void> {
    return this.#wish(true);
  }

  /** This process acts for all accounts that it gets: without this call, one that serves without the slot gets none. */
  accept(): Promise<void> {
    return this.#wish(false);
  }

  async #wish(declines: boolean): Promise<void> {
    this.#declines = declines;
    // The next look stores the wish.
    await this.#inTurn(() => this.#recordWish()).catch(() => undefined);
  }

  async #recordWish(): Promise<void> {
    const declines = this.#declines;
    if (declines === undefined || declines === this.#recordedDeclines) return;
    await this.#options.membership.decline(declines);
    this.#recordedDeclines = declines;
  }

  /** This process acts for no account any more. */
  end(): void {
    this.#hasEnded = true;
    this.#own = WITHOUT;
    this.#shares = [];
    this.#rejectWaiting();
  }

  #rejectWaiting(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(ended());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    // The failure is the caller's; the next work begins in any case.
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

const ended = (): Error => new Error('this process acts for no account any more');
