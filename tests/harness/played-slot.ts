import type { Membership } from '../../src/connector/store/hold/membership.ts';
import { DEAD_AFTER_MS } from '../../src/connector/store/hold/observation.ts';
import type { Slot } from '../../src/connector/store/hold/process-rows.ts';

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
  /** Processes that are cut off: their requests are not answered. */
  readonly cut = new Set<string>();
  /** Processes whose connections were ended, in order. */
  readonly expelled: string[] = [];
  /** The reason why connections can't be ended; undefined if they can. */
  leavesConnections: string | undefined;
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
      beat: async (clockAheadMs) => {
        await asked();
        this.clocks.set(processId, clockAheadMs);
        this.#seen.set(processId, this.#now());
        return this.#slot();
      },
      company: async (wantsToRead) => {
        await asked();
        if (wantsToRead && this.#seen.has(processId)) {
          this.readers.set(processId, this.readers.get(processId) ?? this.#now());
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
        if (this.leavesConnections !== undefined || this.#seen.get(dead) !== seenAt) return false;
        this.#seen.delete(dead);
        return this.readers.delete(dead);
      },
      look: async () => ({ holder: undefined, waiting: [], unfit: [], members: [] }),
      expel: async (other) => {
        await asked();
        this.expelled.push(other);
        return this.leavesConnections;
      },
      take: async (seen, isEnded) => {
        await asked();
        await this.beforeTaking();
        const seenAt = this.#seen.get(this.holder ?? '') ?? Number.NEGATIVE_INFINITY;
        if (this.holder !== seen.holder?.processId || this.fence !== seen.fence) return undefined;
        const ageMs = this.#now() - seenAt;
        const isUnchanged = seenAt === seen.holder?.seenAt;
        if (!isEnded && ageMs < DEAD_AFTER_MS && !(ageMs < 0 && isUnchanged)) return undefined;
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

  #slot(): Slot {
    const { holder, fence } = this;
    const seenAt = this.#seen.get(holder ?? '');
    return {
      holder: holder === undefined ? undefined : { processId: holder, name: holder, seenAt },
      isAwaited: [...this.#seen].some(([id, at]) => id !== holder && at > this.#now() - DEAD_AFTER_MS),
      fence,
      takenAt: 0,
      databaseNow: this.#now(),
    };
  }
}
