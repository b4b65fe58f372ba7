import type { Membership } from '../../src/connector/store/hold/membership.ts';
import { DEAD_AFTER_MS } from '../../src/connector/store/hold/observation.ts';
import type { Slot } from '../../src/connector/store/hold/process-rows.ts';

/** The slot and the processes of a database in memory, under a clock that the test moves: for hours that pass at once. */
export class PlayedSlot {
  /** The database's clock. */
  readonly #now: () => number;
  #answers: Promise<void> | undefined;
  readonly #seen = new Map<string, number>();
  /** Processes that nothing reaches: what they ask is not answered. */
  readonly cut = new Set<string>();
  /** Whose connections were ended, in order. */
  readonly expelled: string[] = [];
  /** The next taking is stored, and its answer is lost. */
  losesNextAnswer = false;
  holder: string | undefined;
  fence = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Nothing is answered until the result is called. */
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
      beat: async () => {
        await asked();
        this.#seen.set(processId, this.#now());
        return this.#slot();
      },
      expel: async (other) => {
        await asked();
        this.expelled.push(other);
      },
      take: async (seen, isEnded) => {
        await asked();
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
      leave: async (fence) => {
        await asked();
        if (fence !== undefined && this.holder === processId && this.fence === fence.fence) this.holder = undefined;
        this.#seen.delete(processId);
      },
    };
  }

  #slot(): Slot {
    const { holder, fence } = this;
    const seenAt = this.#seen.get(holder ?? '');
    return {
      holder: holder === undefined ? undefined : { processId: holder, name: holder, seenAt },
      fence,
      takenAt: 0,
      databaseNow: this.#now(),
    };
  }
}
