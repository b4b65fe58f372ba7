import type { Fence } from '../../ports/claims.ts';
import type { CompanySeen, ReaderSeen } from './company.ts';
import type { Slot } from './process-rows.ts';

/** A run of the program that has ended. */
export interface Ended {
  processId: string;
  /**
   * Whether the running kernel has seen its end. After a reboot it may still run elsewhere: on the machine of which
   * this one is a copy, with all identities.
   */
  isCertain: boolean;
}

/** A live process among those that share a database. */
export interface Member {
  name: string;
  version: string;
  does: 'holds' | 'serves' | 'waits';
  /** How far its clock is ahead of the database's, at least, in milliseconds. */
  clockAheadMs: number;
}

/** The processes that share a database, at one moment. */
export interface SharingSeen {
  /** Undefined while the slot is free. */
  holder: { name: string | undefined; takenAt: number; isSilent: boolean } | undefined;
  /** Names of live processes that wait and may take the slot. */
  waiting: string[];
  /** Names of live processes that may not take it, because their clocks are wrong. */
  unfit: string[];
  /** All live processes, from the one that has started first. */
  members: Member[];
}

/** This process among those that share the database. */
export interface Membership {
  readonly processId: string;
  /**
   * Sends a heartbeat, then reads who has the slot.
   * @throws Error when the database does not answer in time
   * @returns undefined if an earlier version of the program, without slots, has the database
   */
  beat(clockAheadMs: number): Promise<Slot | undefined>;
  /** Reads which other processes serve, after it has entered this one as such, if it is wanted. */
  company(wantsToRead: boolean): Promise<CompanySeen>;
  /**
   * Ends the connections of a dead process that serves without the slot, and deletes its row.
   * @returns false if the database does not let this process end them, or the other one lives
   */
  bury(dead: Pick<ReaderSeen, 'processId' | 'seenAt'>): Promise<boolean>;
  /** Lists the processes that share the database, on the connection of the heartbeats, which has no other work. */
  look(): Promise<SharingSeen>;
  /**
   * Ends all connections of a dead process and waits for it.
   * @throws Error when one does not end
   * @returns a reason if the database does not let this process end some
   */
  expel(processId: string): Promise<string | undefined>;
  /**
   * Takes the slot that is free or of a dead process; undefined if another process was faster, or the dead one lives.
   * @param isEnded whether the process that has it certainly ended
   */
  take(seen: Slot, isEnded: boolean): Promise<Fence | undefined>;
  /**
   * Releases the slot, if this process has it, and records that this process ends. Ends the work of its connections,
   * also of a heartbeat that hangs: later statements of this process are refused.
   */
  leave(): Promise<void>;
}
