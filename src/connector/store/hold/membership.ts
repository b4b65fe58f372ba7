import type { Fence } from '../../ports/claims.ts';
import type { AccountSlotsSeen, OwnRight } from './account-slot-rows.ts';
import type { AgreementSeen, DecidedSettings, Stated } from './agreement-rows.ts';
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
  /** Undefined for an earlier version. */
  stated?: Stated | undefined;
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

/** Another process whose program does not know a step that this one would do. */
export interface OlderSeen {
  processId: string;
  /** The process and its machine, for people. */
  name: string;
  version: string;
  /** Time of its last heartbeat, by the database's clock. */
  seenAt: number;
  databaseNow: number;
}

/** Steps that earlier versions can't ignore, and the processes that can't read what these make of the database. */
export interface OlderFound {
  steps: readonly string[];
  processes: readonly OlderSeen[];
}

/** This process among those that share the database. */
export interface Membership {
  readonly processId: string;
  /**
   * Sends a heartbeat, then reads who has the slot.
   * @param ageMs time since the start of this process
   * @throws Error when the database does not answer in time
   * @returns undefined if an earlier version of the program, without slots, has the database
   */
  beat(clockAheadMs: number, ageMs?: number): Promise<Slot | undefined>;
  /** Reads which other processes serve, after it has entered this one as such, if it is wanted. */
  company(wantsToRead: boolean): Promise<CompanySeen>;
  /**
   * Ends the connections of a dead process that serves without the slot, takes its account slots, and deletes its row.
   * @param fence of this process, which has the slot
   * @returns false if the other one lives; also if the database does not let this process end its connections: then only
   * its account slots are taken
   */
  bury(dead: Pick<ReaderSeen, 'processId' | 'seenAt'>, fence: Fence): Promise<boolean>;
  /**
   * Deletes the row of a process that serves without the slot and has certainly ended: its account slots are free by that.
   * If the database does not let this process end its connections, the row stays until it counts as dead.
   * @throws Error when its connections do not end in time, or the database does not answer
   */
  forget(endedProcessId: string): Promise<void>;
  /** Reads the account slots. @param isInDoubt waits for the end of a transaction whose answer was lost */
  accountSlots(isInDoubt: boolean): Promise<AccountSlotsSeen>;
  /** Takes the free account slots, for the process that has the slot. @throws Error when they can't be taken now */
  adopt(fence: Fence): Promise<void>;
  /**
   * Gives an account slot to another process.
   * @param stored called before the commit, whose answer may get lost
   * @throws Error when the database does not answer, or locks are not free in time
   * @returns false if the other one is not fit to get it, or this process does not have it
   */
  give(gift: { slot: number; to: string }, right: OwnRight, stored: () => void): Promise<boolean>;
  /**
   * Stores what this process states about itself, and reads what others state and what is decided for all.
   * @param known the decision that this process has read before
   * @returns undefined while the schema is one of an earlier version
   */
  agree(stated: Stated | undefined, known: DecidedSettings | undefined): Promise<AgreementSeen | undefined>;
  /** See `decideSettings`. */
  decide(content: string, isReloaded: boolean): Promise<boolean>;
  /** Records whether this process gets no more account slots. */
  decline(declines: boolean): Promise<void>;
  /**
   * Lists the processes that could not read the database any more after the steps that this program would do.
   * @param steps number of the schema's newest step: while it stays, the database is not asked again what it lacks
   * @throws NewerDatabase when this program can't read the database any more
   */
  older(steps: number): Promise<OlderFound>;
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
   * @param readsSince entry of this process as one that serves without the slot, if it has account slots
   */
  take(seen: Slot, isEnded: boolean, readsSince?: number): Promise<Fence | undefined>;
  /**
   * Releases the slot, if this process has it, and records that this process ends. Ends the work of its connections,
   * also of a heartbeat that hangs: later statements of this process are refused.
   */
  leave(): Promise<void>;
}
