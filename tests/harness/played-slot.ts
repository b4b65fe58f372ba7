import type { AccountSlotsSeen } from '../../src/connector/store/hold/account-slot-rows.ts';
import type { Membership } from '../../src/connector/store/hold/membership.ts';
import { DEAD_AFTER_MS } from '../../src/connector/store/hold/observation.ts';
import type { Slot } from '../../src/connector/store/hold/process-rows.ts';
import { ACCOUNT_SLOTS } from '../../src/connector/store/slots-of-accounts.ts';

/**
 * Stands in for a database's slot and processes, under a clock that the test moves, so that hours pass at once. It owns
 * both in memory; each keeper of a test reaches them by its `membership`.
 */
export class PlayedSlot {
  /** The database's clock. */
  readonly #now: () => number;
  #answers: Promise<void> | undefined;
  readonly #seen = new Map<string, number>();
  /** Process that serves without the slot -> since when. */
  readonly readers = new Map<string, number>();
  /** Account slot -> the process that has it. */
  readonly accountSlots = new Map<number, string>();
  /** How often processes have read the account slots. */
  looks = 0;
  /** Processes that get no account slots. */
  readonly declining = new Set<string>();
  /** A former owner of free account slots has a transaction under way. */
  keepsFree = false;
  /** The next gift is stored, and its answer is lost. */
  losesNextGift = false;
  /** Processes that are cut off: their requests are not answered. */
  readonly cut = new Set<string>();
  /** Processes of an earlier version, for which others have to wait. */
  readonly older = new Set<string>();
  /** Processes whose connections were ended, in order. */
  readonly expelled: string[] = [];
  /** The reason why connections can't be ended; undefined if they can. */
  leavesConnections: string | undefined;
  /** Connections of ended processes do not end in time. */
  keepsConnections = false;
  /** Process -> milliseconds by which its clock is ahead, as it says itself. */
  readonly clocks = new Map<string, number>();
  /** Called before a process takes the slot. */
  beforeTaking: () => Promise<void> = async () => undefined;
  /** The next taking is stored, and its answer is lost. */
  losesNextAnswer = false;
  holder: string | undefined;
  fence = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes a heartbeat of the process that was on its way. */
  hear(processId: string): void {
    this.#seen.set(processId, this.#now());
  }

  /** Holds all answers until the returned function is called. */
  holdAnswers(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answers = promise;
    return resolve;
  }

  /** Forgets heartbeats since then, as a standby does that is promoted without them. */
  loseSince(at: number): void {
    for (const [processId, seenAt] of this.#seen) if (seenAt > at) this.#seen.set(processId, at);
  }

  membership(processId: string): Membership {
    const asked = async (): Promise<void> => {
      await this.#answers;
      if (this.cut.has(processId)) throw new Error('no answer');
    };
    return {
      processId,
      agree: async () => undefined,
      decide: async () => true,
      beat: async (clockAheadMs) => {
        await asked();
        this.clocks.set(processId, clockAheadMs);
        this.#seen.set(processId, this.#now());
        return this.#slot(processId);
      },
      company: async (wantsToRead) => {
        await asked();
        if (wantsToRead && this.#seen.has(processId) && !this.readers.has(processId)) {
          this.readers.set(processId, this.#now());
          this.declining.add(processId);
        }
        const others = [...this.readers.keys()].filter((id) => id !== processId);
        const databaseNow = this.#now();
        return {
          others: others.map((id) => ({ processId: id, seenAt: this.#seen.get(id) ?? 0, databaseNow })),
          readsSince: this.readers.get(processId),
        };
      },
      bury: async ({ processId: dead, seenAt }) => {
        await asked();
        this.expelled.push(dead);
        if (this.#seen.get(dead) !== seenAt) return false;
        const moved = this.#move(dead, processId);
        if (this.leavesConnections !== undefined) {
          if (moved > 0) this.readers.set(dead, this.#now() + 1);
          return false;
        }
        this.#seen.delete(dead);
        return this.readers.delete(dead);
      },
      forget: async (ended) => {
        await asked();
        this.expelled.push(ended);
        if (this.keepsConnections) throw new Error('connections of a dead process have not ended');
        if (this.leavesConnections !== undefined) return;
        this.#seen.delete(ended);
        this.readers.delete(ended);
      },
      accountSlots: async () => {
        await asked();
        this.looks += 1;
        return this.#accountSlots(processId);
      },
      adopt: async () => {
        await asked();
        if (this.keepsFree) throw new Error('lock timeout');
        this.#adopt(processId);
      },
      give: async ({ slot, to }, _right, stored) => {
        await asked();
        if (this.accountSlots.get(slot) !== processId || !this.#isFit(to)) return false;
        this.accountSlots.set(slot, to);
        stored();
        if (!this.losesNextGift) return true;
        this.losesNextGift = false;
        throw new Error('the connection ended');
      },
      decline: async (declines) => {
        await asked();
        if (declines) this.declining.add(processId);
        else this.declining.delete(processId);
      },
      older: async () => {
        await asked();
        const databaseNow = this.#now();
        const older = [...this.#seen].filter(([id]) => this.older.has(id) && !this.older.has(processId));
        const processes = older.map(([id, seenAt]) => ({ processId: id, name: id, version: '1', seenAt, databaseNow }));
        return { steps: ['a step'], processes };
      },
      look: async () => ({ holder: undefined, waiting: [], unfit: [], members: [] }),
      expel: async (other) => {
        await asked();
        this.expelled.push(other);
        return this.leavesConnections;
      },
      take: async (seen, isEnded, readsSince) => {
        await asked();
        await this.beforeTaking();
        if (this.holder !== seen.holder?.processId || this.fence !== seen.fence) return undefined;
        if (!isEnded && this.#lives(seen)) return undefined;
        if (readsSince !== undefined && this.readers.get(processId) !== readsSince) return undefined;
        if (this.holder !== undefined) this.#move(this.holder, processId);
        this.holder = processId;
        this.fence += 1;
        if (this.losesNextAnswer) {
          this.losesNextAnswer = false;
          throw new Error('the connection ended');
        }
        return { processId, fence: this.fence };
      },
      leave: async () => {
        await asked();
        if (this.holder === processId) this.holder = undefined;
        this.#seen.delete(processId);
        this.readers.delete(processId);
      },
    };
  }

  #lives({ holder }: Slot): boolean {
    const seenAt = this.#seen.get(holder?.processId ?? '') ?? Number.NEGATIVE_INFINITY;
    const ageMs = this.#now() - seenAt;
    return ageMs < DEAD_AFTER_MS && !(ageMs < 0 && seenAt === holder?.seenAt);
  }

  #isFit(processId: string): boolean {
    const now = this.#now();
    const isHeard = now - (this.#seen.get(processId) ?? Number.NEGATIVE_INFINITY) < 5_000;
    const serves = now - (this.readers.get(processId) ?? now) >= DEAD_AFTER_MS || this.holder === processId;
    return isHeard && serves && !this.declining.has(processId) && Math.abs(this.clocks.get(processId) ?? 0) <= 5_000;
  }

  #move(from: string, to: string): number {
    const moved = [...this.accountSlots].filter(([, owner]) => owner === from);
    for (const [slot] of moved) this.accountSlots.set(slot, to);
    return moved.length;
  }

  #isFree(slot: number, processId: string): boolean {
    const owner = this.accountSlots.get(slot);
    return owner !== processId && (owner === undefined || !this.readers.has(owner));
  }

  #adopt(processId: string): void {
    for (let slot = 0; slot < ACCOUNT_SLOTS; slot += 1) {
      if (this.#isFree(slot, processId)) this.accountSlots.set(slot, processId);
    }
  }

  #accountSlots(processId: string): AccountSlotsSeen {
    const slots = Array.from({ length: ACCOUNT_SLOTS }, (_, slot) => slot);
    const of = (id: string) => slots.filter((slot) => this.accountSlots.get(slot) === id);
    const fit = [...this.#seen.keys()].filter((id) => id === processId || this.#isFit(id)).sort();
    return {
      own: of(processId),
      hasFree: slots.some((slot) => this.#isFree(slot, processId)),
      shares: fit.map((id) => ({ processId: id, name: id, accountSlots: of(id) })),
      declines: this.declining.has(processId),
    };
  }

  #slot(processId: string): Slot {
    const { holder, fence } = this;
    const isNewer = this.older.has(processId) && !this.older.has(holder ?? '');
    const seenAt = this.#seen.get(holder ?? '');
    return {
      holder: holder === undefined ? undefined : { processId: holder, name: holder, seenAt, isNewer },
      isAwaited: [...this.#seen].some(([id, at]) => id !== holder && at > this.#now() - DEAD_AFTER_MS),
      fence,
      steps: 0,
      takenAt: 0,
      databaseNow: this.#now(),
    };
  }
}
