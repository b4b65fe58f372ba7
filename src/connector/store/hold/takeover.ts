import type { Clock } from '../../../kernel/clock.ts';
import type { Fence } from '../../ports/claims.ts';
import type { TakeoverCause } from '../../ports/hold.ts';
import type { Ended, Membership } from './membership.ts';
import { NewerHolder } from './newer-holder.ts';
import { DEAD_AFTER_MS, Observation } from './observation.ts';
import { type OlderOptions, OlderProcesses } from './older-processes.ts';
import type { Slot } from './process-rows.ts';

export interface TakeoverOptions extends Pick<OlderOptions, 'waitsForOlder'> {
  membership: Pick<Membership, 'processId' | 'expel' | 'take' | 'older'>;
  clock: Pick<Clock, 'monotonic'>;
  /**
   * A process that has ended, if one is known: its slot is taken at once, or after nine seconds without a heartbeat.
   */
  ended?: Ended | undefined;
  /** Called when connections of the dead process stay, because the database does not let this one end them. */
  connectionsLeft(reason: string): void;
  /** Returns the entry of this process as one that serves without the slot, if it acts for accounts: it must not lose it. */
  actsSince(): number | undefined;
}

/**
 * Takes the slot once it is free, or its holder has ended or is dead. It judges each look at the slot, and ends the
 * connections of a dead holder before it takes the slot, which frees locks, and after it. Where this process would change
 * the schema so that earlier versions can't read it, it waits for those.
 */
export class Takeover {
  readonly #options: TakeoverOptions;
  readonly #observation = new Observation();
  readonly #older: OlderProcesses;
  /** Why the last attempt could take the slot. */
  #cause: TakeoverCause = 'free';
  /** Process whose slot the last attempt took, if the attempt was answered. */
  #dead: string | undefined;
  /** Process whose remaining connections were reported. */
  #left: string | undefined;

  constructor(options: TakeoverOptions) {
    this.#options = options;
    this.#older = new OlderProcesses(options);
  }

  /** Why the last attempt took the slot. */
  get cause(): TakeoverCause {
    return this.#cause;
  }

  /**
   * Tries once. Call it after each heartbeat, until this process has the slot.
   * @throws NewerDatabase, NewerHolder when this program can't use the database any more
   * @throws Error when it failed and should be tried again
   * @returns undefined while another process has the slot
   */
  async attempt(slot: Slot): Promise<Fence | undefined> {
    const { processId } = this.#options.membership;
    // The database may have taken it for this process before, in a transaction whose answer was lost.
    const fence = slot.holder?.processId === processId ? { processId, fence: slot.fence } : await this.#take(slot);
    // Connections that the dead process opened before the slot was taken were still permitted.
    if (fence !== undefined && this.#dead !== undefined) await this.#expel(this.#dead);
    return fence;
  }

  async #take(slot: Slot): Promise<Fence | undefined> {
    const { membership, clock, actsSince } = this.#options;
    const { holder, fence, databaseNow } = slot;
    // Uses the clock that stops in a suspended machine: the other process may have been suspended together with this one.
    const isDead = holder && this.#observation.isDead({ ...holder, fence, databaseNow }, clock.monotonic());
    if (await this.#older.mustWait(slot.steps)) return undefined;
    refuseNewer(slot);
    // The process that seemed dead before may live, and may have released the slot since.
    this.#dead = undefined;
    const ended = this.#options.ended?.processId === holder?.processId ? this.#options.ended : undefined;
    const isEnded = ended?.isCertain === true;
    if (isEnded && holder !== undefined) await this.#expel(holder.processId);
    else if (holder !== undefined) {
      const isSilent = holder.seenAt !== undefined && databaseNow - holder.seenAt >= DEAD_AFTER_MS;
      if (isDead !== true && !(ended !== undefined && isSilent)) return undefined;
      this.#dead = holder.processId;
      // Frees the locks of a process that was frozen within a transaction.
      await this.#expel(holder.processId);
    }
    this.#cause = isEnded ? 'ended' : holder === undefined ? 'free' : 'silent';
    return membership.take(slot, isEnded, actsSince());
  }

  /**
   * Ends the dead process's connections. If some may not be ended, the database still refuses their writes: only their
   * locks last longer.
   */
  async #expel(processId: string): Promise<void> {
    const { membership, connectionsLeft } = this.#options;
    const reason = await membership.expel(processId);
    if (reason === undefined || this.#left === processId) return;
    this.#left = processId;
    connectionsLeft(reason);
  }
}

/** @throws NewerHolder while a process of a newer version has the slot and lives: it is about to change the schema */
function refuseNewer({ holder, databaseNow }: Slot): void {
  if (holder?.isNewer !== true || holder.seenAt === undefined) return;
  if (Math.abs(databaseNow - holder.seenAt) < DEAD_AFTER_MS) throw new NewerHolder(holder.name);
}
