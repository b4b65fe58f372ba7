import type { Entry } from '../domain/entry.ts';

/** Place of an entry in history; the order is by event time, then by arrival. */
export interface Place {
  eventAt: number;
  row: number;
}

export interface PlacedEntry extends Entry {
  row: number;
}

export interface HistoryRange {
  channels: readonly string[];
  limit: number;
  /** Only entries before this one. */
  before?: Place | undefined;
  /** Only entries from this time on, milliseconds since 1970. */
  since?: number | undefined;
  /** Only entries whose folded text has this; folded as `foldText` does. */
  phrase?: string | undefined;
}

export interface HistoryStore {
  /** Entries of an account, newest first. */
  newestFirst(accountId: string, range: HistoryRange): Promise<PlacedEntry[]>;
}

export interface EntryStore {
  /** The one received last: no gap, and no send that failed or has not come back. */
  newestReceived(accountId: string, channels: readonly string[]): Promise<Entry | undefined>;
}
