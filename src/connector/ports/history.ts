import type { Entry, EntryKind } from '../domain/entry.ts';

/** Place of an entry in history; the order is by event time, then by arrival. */
export interface Place {
  eventAt: number;
  row: number;
}

export interface PlacedEntry extends Entry {
  row: number;
}

/** What was said before and after an entry, oldest first. */
export interface EntriesAround {
  before: PlacedEntry[];
  after: PlacedEntry[];
}

export interface HistoryRange {
  channels: readonly string[];
  limit: number;
  /** Only entries before this one. */
  before?: Place | undefined;
  /** Only entries after this one. */
  after?: Place | undefined;
  /** Only entries from this time on, milliseconds since 1970. */
  since?: number | undefined;
  /** Only entries up to this time. */
  until?: number | undefined;
  /** Only entries earlier than this time. */
  earlierThan?: number | undefined;
  /** Only entries of these kinds, among the newest `LOOKED_AT_FOR_KINDS` of the range. */
  kinds?: readonly EntryKind[] | undefined;
  /** Only entries whose folded text has this; folded as `foldText` does. */
  phrase?: string | undefined;
}

/** What has become of an account's history as a whole. */
export interface HistoryState {
  /** Up to when its person has deleted it, milliseconds since 1970; null where they never have. */
  deletedTo: number | null;
  /** Whether entries that they have deleted are still there. */
  isBeingDeleted: boolean;
}

export interface HistoryStore {
  /** Undefined for an account that does not exist, or is being removed. */
  state(accountId: string): Promise<HistoryState | undefined>;
  /** The channels that have entries, granted or not. */
  channels(accountId: string): Promise<string[]>;
  /** Entries of a channel with a `row` above `after`, in the order of arrival, at most `limit`. */
  byArrival(accountId: string, channel: string, step: { after: number; limit: number }): Promise<PlacedEntry[]>;
  /** Where an entry of the account stands; undefined for one that is not there, or not in one of these channels. */
  placeOf(accountId: string, entryId: string, channels: readonly string[]): Promise<Place | undefined>;
  /** Where the last entry stands that `newestFirst` looks at for kinds; undefined where it looks at all of the range. */
  lookedUpTo(accountId: string, range: HistoryRange): Promise<Place | undefined>;
  /** What was said around each of these entries of the account: at most `count` lines on each side, by the entries' `row`. */
  around(accountId: string, entries: readonly PlacedEntry[], count: number): Promise<Map<number, EntriesAround>>;
  /** Entries of an account, newest first. */
  newestFirst(accountId: string, range: HistoryRange): Promise<PlacedEntry[]>;
}

/** An entry, and whose it is. */
export interface AccountEntry extends Entry {
  accountId: string;
}

export interface EntryStore {
  /** The one received last: no gap, and no send that failed or has not come back. */
  newestReceived(accountId: string, channels: readonly string[]): Promise<Entry | undefined>;
  /** What arrived last, of all accounts together, the newest first. */
  newestOfAll(limit: number): Promise<AccountEntry[]>;
}
