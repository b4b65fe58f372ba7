import type { Entry, EntryKind } from '../domain/entry.ts';

/** Place of an entry in history, which is ordered by event time, then by arrival. */
export interface Place {
  eventAt: number;
  row: number;
}

export interface PlacedEntry extends Entry {
  row: number;
}

/** Messages before and after an entry, oldest first. */
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

/** Deletion state of an account's history. */
export interface HistoryState {
  /** Time up to which its person has deleted it, milliseconds since 1970; null if they never have. */
  deletedTo: number | null;
  /** Whether deleted entries are still stored. */
  isBeingDeleted: boolean;
}

export interface HistoryStore {
  /** Undefined for an account that does not exist, or is being removed. */
  state(accountId: string): Promise<HistoryState | undefined>;
  /** Lists the channels that have entries, granted or not. */
  channels(accountId: string): Promise<string[]>;
  /** Returns entries of a channel with a `row` above `after`, in order of arrival, at most `limit`. */
  byArrival(accountId: string, channel: string, step: { after: number; limit: number }): Promise<PlacedEntry[]>;
  /**
   * Returns the place of an entry of the account; undefined if it does not exist, or is not in one of these channels.
   */
  placeOf(accountId: string, entryId: string, channels: readonly string[]): Promise<Place | undefined>;
  /** Returns the place of the last entry that `newestFirst` reads for kinds; undefined if it reads the whole range. */
  lookedUpTo(accountId: string, range: HistoryRange): Promise<Place | undefined>;
  /**
   * Returns the messages around each of these entries of the account: at most `count` on each side, by the entries'
   * `row`.
   */
  around(accountId: string, entries: readonly PlacedEntry[], count: number): Promise<Map<number, EntriesAround>>;
  /** Returns entries of an account, newest first. */
  newestFirst(accountId: string, range: HistoryRange): Promise<PlacedEntry[]>;
}

/** An entry with its account. */
export interface AccountEntry extends Entry {
  accountId: string;
}

export interface EntryStore {
  /** Returns the entry that was received last, which is not a gap, a failed send or one without an echo. */
  newestReceived(accountId: string, channels: readonly string[]): Promise<Entry | undefined>;
  /** Returns the entries that arrived last, of all accounts together, the newest first. */
  newestOfAll(limit: number): Promise<AccountEntry[]>;
}
