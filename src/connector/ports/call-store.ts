import type { CallRecord } from './call-records.ts';

/** The newest calls of clients, as processes store them for each other. */
export interface CallStore {
  /** Adds calls of this process, the oldest first, and keeps its newest ones. */
  add(records: readonly CallRecord[]): Promise<void>;
  /** Returns the newest calls of all other processes, newest first. @param since milliseconds since 1970 */
  newestOfOthers(limit: number, since: number): Promise<CallRecord[]>;
  /** Removes at most `limit` calls that are older than a day; returns how many. */
  removeEnded(limit: number): Promise<number>;
}
