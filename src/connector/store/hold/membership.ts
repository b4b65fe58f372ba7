import type { Fence } from '../../ports/claims.ts';
import type { Slot } from './process-rows.ts';

/** This process among those that share the database. */
export interface Membership {
  readonly processId: string;
  /**
   * Says that this process lives, then looks who has the slot. @throws Error when the database does not answer in time
   * @returns undefined where an earlier version of the program has the database, which knows of no slots
   */
  beat(clockAheadMs: number): Promise<Slot | undefined>;
  /** Ends all connections of a process that is dead, and waits until they have ended. @throws Error when one does not end */
  expel(processId: string): Promise<void>;
  /**
   * Takes the slot that is free, or of a dead process; undefined when another one was faster, or the dead one lives.
   * @param isEnded the process that has it can't live
   */
  take(seen: Slot, isEnded: boolean): Promise<Fence | undefined>;
  /** Gives the slot back, if this process has it, and says that this process ends. */
  leave(fence: Fence | undefined): Promise<void>;
}
