import type { PresenceStatus } from './presence.ts';

/** Facts of a session by which any process decides whether a send may be accepted. */
export interface SendingState {
  nick: string;
  network: string;
  /** Whether lines may be written without a pace at the moment. */
  isUnpaced: boolean;
  hasServerEcho: boolean;
  /** Time at which the account's pace had no line left when the session or its network was connected: see `Pacing`. */
  pacedUntil: number;
  /** Time at which that was so, on the wall clock: it may have been set back since. */
  pacedAt: number;
}

/** Sessions with the bouncer, as the process that holds them records them. */
export interface PresenceStore {
  /** Replaces the status of a session that this process holds. */
  write(accountId: string, status: PresenceStatus, sending?: SendingState): Promise<void>;
  ended(accountId: string): Promise<void>;
  /**
   * Deletes the records of earlier processes: all, or those of accounts that are not to be online. With slots, only
   * those of accounts in them.
   */
  endAll(which: 'all' | 'unwanted', slots?: readonly number[]): Promise<void>;
  /**
   * Whether only this process has recorded sessions of the accounts in a slot: it has attached, or tried to attach, all that
   * had one at another process.
   */
  areOf(processName: string, slot: number): Promise<boolean>;
  /** Returns the last status of an existing session; undefined without one. */
  find(accountId: string): Promise<PresenceStatus | undefined>;
  /** Returns the last status of each existing session, in one statement. */
  findAll(): Promise<Map<string, PresenceStatus>>;
}
